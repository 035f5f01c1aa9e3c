"""Runs the program and compares screens: exit code, stdout, stderr and the files left behind.

Usage: screens.py TARE [CASE_FILE...] (default: all of tests/cli/cases). Each case is a block of a .case
file:

    == name of the case
    -- file NAME            a file to write first; its lines follow. {{repeat N TEXT}} repeats TEXT.
    -- first ARGUMENTS      a command to run before, out of sight; it must get to its end
    -- changed NAME         a file to write over after that; its lines follow
    -- run ARGUMENTS        what to run, split as a shell does; the first word after it may be an
                            environment setting NAME=VALUE
    -- exit CODE
    -- stdout               expected lines; without this section stdout must be empty
    -- stderr               likewise
    -- leaves               expected files below the working folder that were not there before, sorted

Placeholders in expected lines: %float, %int, %hash, %dir (the working folder), %any (rest of a line).
UPDATE_EXPECT=1 rewrites the expectations with what came out.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

CASES = pathlib.Path(__file__).resolve().parent / "cases"
PLACEHOLDERS = {"%float": r"-?\d+\.\d+(?:e[-+]\d+)?", "%int": r"\d+", "%hash": r"[0-9a-f]{64}",
                "%any": r".*"}
REPEAT = re.compile(r"\{\{repeat (\d+) (.*?)\}\}")


class Case:
    def __init__(self, name):
        self.name = name
        self.sections = []  # (head, lines) in order

    def lines(self, head):
        return next((lines for h, lines in self.sections if h == head), [])

    def word(self, kind):
        return next((h[len(kind) + 1:] for h, _ in self.sections if h.split(" ")[0] == kind), "")

    def files(self, kind):
        return [(h.split(" ", 1)[1], lines) for h, lines in self.sections if h.startswith(kind + " ")]

    def before(self):
        return [h.split(" ", 1)[1] for h, _ in self.sections if h.startswith("first ")]

    def replace(self, head, lines):
        kept = [(h, l) for h, l in self.sections if h.split(" ")[0] != head.split(" ")[0]]
        keep = bool(lines) or head.startswith("exit")
        self.sections = kept + ([(head, lines)] if keep else [])


def parse(path):
    preamble, cases = [], []
    for line in path.read_text().splitlines():
        if line.startswith("== "):
            cases.append(Case(line[3:]))
        elif not cases:
            preamble.append(line)
        elif line.startswith("-- "):
            cases[-1].sections.append((line[3:], []))
        else:
            cases[-1].sections[-1][1].append(line)
    for case in cases:
        for _, lines in case.sections:
            while lines and not lines[-1]:
                lines.pop()
    return preamble, cases


def render(preamble, cases):
    out = list(preamble)
    for case in cases:
        out.append(f"== {case.name}")
        for head, lines in case.sections:
            out += [f"-- {head}"] + lines
        out.append("")
    return "\n".join(out).rstrip("\n") + "\n"


def pattern(line):
    text = re.escape(line)
    for name, expression in PLACEHOLDERS.items():
        text = text.replace(re.escape(name), expression)
    return re.compile(text + r"\Z")


def differences(name, wanted, found):
    if len(wanted) == len(found) and all(pattern(w).match(f) for w, f in zip(wanted, found)):
        return []
    return [f"  {name} wanted:"] + ["    " + l for l in wanted] + [f"  {name} found:"] + [
        "    " + l for l in found]


def expand(lines):
    text = "\n".join(lines) + "\n" if lines else ""
    return REPEAT.sub(lambda m: m[2] * int(m[1]), text)


def write_files(files, folder):
    for name, lines in files:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(expand(lines))


def files_below(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if not p.is_dir())


def screen(output, folder):
    """Lines without the blank ones at the end, which a case file can't show."""
    text = output.decode(errors="replace").replace(str(folder), "%dir")
    return text.rstrip("\n").splitlines()


def run(tare, line, folder):
    words = shlex.split(line.replace("%dir", str(folder)))
    environment = dict(os.environ, HF_HUB_OFFLINE="1", HF_HUB_CACHE="hub-cache")
    environment.pop("COLUMNS", None)
    while words and re.match(r"[A-Z_]+=", words[0]):
        name, value = words.pop(0).split("=", 1)
        environment[name] = value
    done = subprocess.run([tare] + words, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=120)
    return done.returncode, screen(done.stdout, folder), screen(done.stderr, folder)


def check(tare, case, update):
    with tempfile.TemporaryDirectory(prefix="tare-screen-") as name:
        folder = pathlib.Path(name)
        write_files(case.files("file"), folder)
        for line in case.before():
            code, _, stderr = run(tare, line, folder)
            if code not in (0, 3):
                return [f"  first {line}: exit code {code}", *stderr]
        write_files(case.files("changed"), folder)
        before = files_below(folder)
        code, stdout, stderr = run(tare, case.word("run"), folder)
        leaves = [f for f in files_below(folder) if f not in before]
    found = []
    if str(code) != case.word("exit"):
        found.append(f"  exit code {code}, wanted {case.word('exit')}")
    found += differences("stdout", case.lines("stdout"), stdout)
    found += differences("stderr", case.lines("stderr"), stderr)
    found += differences("leaves", case.lines("leaves"), leaves)
    if found and update:
        case.replace(f"exit {code}", [])
        for head, lines in (("stdout", stdout), ("stderr", stderr), ("leaves", leaves)):
            case.replace(head, lines)
    return found


def main(arguments):
    tare, names = os.path.abspath(arguments[0]), arguments[1:]
    update = os.environ.get("UPDATE_EXPECT") == "1"
    passed = failed = 0
    for path in [pathlib.Path(n) for n in names] or sorted(CASES.glob("*.case")):
        preamble, cases = parse(path)
        for case in cases:
            found = check(tare, case, update)
            passed, failed = passed + (not found), failed + bool(found)
            if found:
                print(f"{path.name}: {case.name}", *found, sep="\n")
        if update:
            path.write_text(render(preamble, cases))
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


sys.exit(main(sys.argv[1:]))
