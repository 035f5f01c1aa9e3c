"""Writes src/shims/table.txt: which of lm-eval's helper functions come out as in Python. Compares each function
that a task names with its twin (tests/parity/shims.py); lists the others by how many tasks they keep from running.
Needs the Python packages that the helpers import; takes an hour for all files."""

import argparse
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

TABLE = ROOT / "src/shims/table.txt"
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


class Comparison:
    """Compares functions with their twins, and remembers the outcome of each content."""

    def __init__(self, binary, tasks):
        self.tasks = tasks
        self.twin = shims.Twin(binary, every=True)
        self.python = shims_python.Python(tasks)
        self.good, self.bad, self.imports, self.reasons, self.unavailable = {}, set(), {}, {}, {}

    def add(self, ref):
        if ref.file is None or ref.use == "custom_dataset":  # these download
            return
        sha = hashlib.sha256(ref.file.read_bytes()).hexdigest()
        self.imports.setdefault(sha, imports_of(ref.file, self.tasks))
        reason = self.lacking(ref) or self.difference(ref)
        if reason is None:
            self.good.setdefault(sha, set()).add((ref.use, ref.function))
        else:
            self.bad.add((sha, ref.use, ref.function))
            self.reasons[(str(ref.file), ref.function, ref.use)] = reason

    def lacking(self, ref):
        """Why this Python cannot load the file, or None."""
        reason = self.python.missing(ref.file)
        if reason is not None:
            self.unavailable[ref] = reason
        return reason

    def difference(self, ref):
        outcome = shims.compare(self.twin, self.python, ref.file, ref.function, ref.use)
        if outcome.unavailable:
            self.unavailable[ref] = outcome.unavailable
            return outcome.unavailable
        if outcome.difference is not None:
            return f"differs: {outcome.difference}"
        return None if outcome.good() else f"too few values ({outcome.values}): {outcome.last_error}"

    def rows(self):
        """{sha256: {(use, function), ...}}; the same content elsewhere must agree too."""
        rows = {sha: {row for row in rows if (sha, *row) not in self.bad} for sha, rows in self.good.items()}
        return {sha: kept for sha, kept in rows.items() if kept}


def read_imports(table):
    """{sha256: {module or path: sha256}} of a table."""
    lines = [line.split() for line in table.read_text(encoding="utf-8").splitlines() if line[:1] not in (" ", "#", "")]
    return {sha: dict(word.split("=", 1) for word in words) for sha, *words in lines}


def missed(comparison, refs, table):
    """How the rows of the chosen files differ from the table's; what this Python cannot load is left out."""
    known, found = shims.read_table(table), comparison.rows()
    faults = []
    for ref in refs:
        if ref.file is None or ref in comparison.unavailable:
            continue
        sha = hashlib.sha256(ref.file.read_bytes()).hexdigest()
        row = (ref.use, ref.function)
        if (row in known.get(sha, ())) != (row in found.get(sha, ())):
            reason = comparison.reasons.get((str(ref.file), ref.function, ref.use), "equal here, not in the table")
            faults.append(f"{ref.file} {ref.function} ({ref.use}): {reason}"[:600])
    return faults


def check(comparison, refs, table):
    faults = missed(comparison, refs, table)
    skipped = [f"SKIPPED: {ref.file} {ref.function}: {reason}" for ref, reason in comparison.unavailable.items()]
    passed = len(refs) - len(skipped) - len(faults)
    print("\n".join(skipped + faults + [f"{passed} passed, {len(faults)} failed, {len(skipped)} skipped"]))
    return 1 if faults or not passed else 0


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", help="shims_cat")
    parser.add_argument("tasks", type=Path, help="lm-eval's folder of tasks")
    parser.add_argument("--write", action="store_true", help="write the table; rows of files that are not chosen stay")
    parser.add_argument("--check", action="store_true", help="compare the outcome with the table")
    parser.add_argument("--only", nargs="+", default=["**"], help="globs of helper files in the folder of tasks")
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    tasks = lm_eval_tasks.functions_of_tasks(options.tasks)
    chosen = {path for glob in options.only for path in options.tasks.glob(glob)} if options.only != ["**"] else None
    refs = sorted({ref for uses in tasks.values() for ref in uses if chosen is None or ref.file in chosen}, key=str)
    comparison = Comparison(options.binary, options.tasks)
    for number, ref in enumerate(refs):
        if number % 200 == 0:
            print(f"{number} of {len(refs)}", file=sys.stderr, flush=True)
        comparison.add(ref)
    if options.check:
        return check(comparison, refs, TABLE)
    rows, imports = comparison.rows(), comparison.imports
    if chosen is not None:
        rows = {**{k: v for k, v in shims.read_table(TABLE).items() if k not in imports}, **rows}
        imports = {**read_imports(TABLE), **imports}
    if options.write:
        TABLE.write_text(render(rows, imports), encoding="utf-8")
    hashes = {r.file: hashlib.sha256(r.file.read_bytes()).hexdigest() for uses in tasks.values() for r in uses if r.file}
    good = {(r.file, r.function, r.use) for uses in tasks.values() for r in uses
            if r.file and (r.use, r.function) in rows.get(hashes[r.file], ())}
    report(tasks, good, comparison.reasons)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
