"""Writes src/shims/table.txt: which of lm-eval's helper functions come out as in Python. Compares each function
that a task names with its twin (tests/parity/shims.py); lists the others by how many tasks they keep from running.
Usage: shim_table.py SHIMS_CAT TASKS_FOLDER [OUTPUT]   (needs lm-eval's Python packages; takes minutes)"""

import collections
import hashlib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/parity"))
import lm_eval_tasks  # noqa: E402
import shims  # noqa: E402
import shims_python  # noqa: E402

HEAD = "# Helper functions that come out as in Python; written by tools/shim_table.py.\n"


def imports_of(file, tasks):
    """{module or path: sha256} of the helper files that a file imports, through any number of steps, and of the
    JSON files that it names."""
    found, files = {}, [file]
    for name in re.findall(r'"([\w.]+\.json)"', file.read_text(encoding="utf-8")):
        for step in ("", "../", "../../"):
            if (file.parent / step / name).exists() and step + name not in found:
                found[step + name] = hashlib.sha256((file.parent / step / name).read_bytes()).hexdigest()
                break
    while files:
        text = files.pop().read_text(encoding="utf-8")
        for module in re.findall(r"^\s*from (lm_eval\.tasks\.[\w.]+) import", text, re.MULTILINE):
            path = tasks.joinpath(*module.split(".")[2:]).with_suffix(".py")
            if module not in found and path.exists():
                found[module] = hashlib.sha256(path.read_bytes()).hexdigest()
                files.append(path)
    return found


def render(good, imports):
    """The table as text."""
    lines = [HEAD]
    for sha in sorted(good):
        lines.append(" ".join([sha] + [f"{m}={s}" for m, s in sorted(imports[sha].items())]) + "\n")
        by_use = collections.defaultdict(list)
        for use, function in sorted(good[sha]):
            by_use[use].append(function)
        lines += [" " + " ".join([use] + names) + "\n" for use, names in sorted(by_use.items())]
    return "".join(lines)


def report(tasks, good_refs, reasons):
    """How many tasks have all they need, and what the others lack."""
    build = {"documents", "field", "samples", "custom_dataset"}
    built = run = 0
    blocked = collections.Counter()
    for uses in tasks.values():
        lacking = [ref for ref in uses if (ref.file, ref.function, ref.use) not in good_refs]
        built += not any(ref.use in build for ref in lacking)
        run += not lacking
        if len({(r.file, r.function, r.use) for r in lacking}) >= 1:
            blocked.update({(str(r.file), r.function, r.use) for r in lacking})
    print(f"{len(tasks)} tasks: {built} build their requests, {run} run as a whole")
    for (file, function, use), count in blocked.most_common():
        print(f"{count:5} {use} {function} {file}: {reasons.get((file, function, use), 'no file')}"[:400])


def main(binary, folder, output=None):
    tasks_folder = Path(folder)
    tasks = lm_eval_tasks.functions_of_tasks(tasks_folder)
    refs = sorted({ref for uses in tasks.values() for ref in uses}, key=str)
    twin = shims.Twin(binary, every=True)
    python = shims_python.Python(tasks_folder)
    good, bad, imports, reasons, verdict = {}, set(), {}, {}, {}
    for number, ref in enumerate(refs):
        if number % 200 == 0:
            print(f"{number} of {len(refs)}", file=sys.stderr, flush=True)
        key = (str(ref.file), ref.function, ref.use)
        if ref.file is None or ref.use == "custom_dataset":  # these download
            continue
        sha = hashlib.sha256(ref.file.read_bytes()).hexdigest()
        imports.setdefault(sha, imports_of(ref.file, tasks_folder))
        reason = python.missing(ref.file)
        if reason is None:
            outcome = shims.compare(twin, python, ref.file, ref.function, ref.use)
            if outcome.difference is not None:
                reason = f"differs: {outcome.difference}"
            elif not outcome.good():
                reason = f"too few values ({outcome.values}): {outcome.last_error}"
        if reason is None:
            good.setdefault(sha, set()).add((ref.use, ref.function))
        else:
            bad.add((sha, ref.use, ref.function))
            reasons[key] = reason
    for sha, use, function in bad:  # the same content elsewhere must agree too
        good.get(sha, set()).discard((use, function))
    good = {sha: rows for sha, rows in good.items() if rows}
    hashes = {ref.file: hashlib.sha256(ref.file.read_bytes()).hexdigest() for ref in refs if ref.file}
    good_refs = {(r.file, r.function, r.use) for r in refs
                 if r.file and (r.use, r.function) in good.get(hashes[r.file], ())}
    if output:
        Path(output).write_text(render(good, imports), encoding="utf-8")
    report(tasks, good_refs, reasons)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
