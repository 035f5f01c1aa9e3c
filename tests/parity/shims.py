"""Compares the native twins of lm-eval's helper functions with the functions themselves, run by this Python, on
made-up documents. Usage: shims.py SHIMS_CAT TASKS_FOLDER TABLE [--real-datasets]
Every row of the table is compared; exits 1 at a difference. Needs the packages that the helper files import.
A stand-in serves for `datasets`; with --real-datasets the package itself, on what prepares documents alone."""

import hashlib
import json
import random
import subprocess
import sys
from pathlib import Path

import shims_documents
import shims_python

SUCCESSES, ATTEMPTS, LEAST_VALUES = 12, 300, 6


class Twin:
    """The native side: one process for all calls."""

    def __init__(self, binary, every=False):
        command = [str(binary)] + (["--all"] if every else [])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def call(self, file, function, use, arguments):
        """(value or None, error or None)"""
        request = {"file": str(file), "function": function, "use": use, "arguments": shims_python.literal(arguments)}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        return answer.get("value"), answer.get("error")


class Outcome:
    """What the comparison of one function found."""

    def __init__(self):
        self.values = 0  # how often both gave the same value
        self.errors = 0  # how often both failed
        self.refused = 0  # how often the twin said that it cannot
        self.difference = None
        self.last_error = None
        self.unavailable = None  # why this Python cannot run the function

    def good(self):
        """A refusal is no wrong answer, but most documents must get one."""
        return self.difference is None and self.values >= LEAST_VALUES and self.refused <= self.values


def compare_once(twin, python, file, function, use, arguments, outcome):
    """Returns True if Python gave a value."""
    expected, error = python.call(file, function, use, arguments)
    if error is not None:
        outcome.last_error = error
        if error.startswith("NoDocuments"):
            return False
        if error.startswith(("TimeoutError", "ModuleNotFoundError")):
            outcome.unavailable = error
        if outcome.errors >= 8 or outcome.unavailable:
            return False
    found, refused = twin.call(file, function, use, arguments)
    if error is None and found is not None and shims_python.same(expected, found):
        outcome.values += 1
    elif error is not None and found is None:
        outcome.errors += 1
    elif found is None and ("Unsupported: " in refused or "Limit: " in refused):
        outcome.refused += 1
        outcome.last_error = f"refused: {refused} {arguments}"
    else:
        outcome.difference = {"arguments": arguments, "python": error or expected, "twin": refused or found}
    return error is None


def compare(twin, python, file, function, use):
    """Compares one function on documents that are made for it."""
    outcome = Outcome()
    maker = shims_documents.Maker(file, function, random.Random(f"{Path(file).name}:{function}"))
    good = []
    for attempt in range(ATTEMPTS):
        if outcome.values >= SUCCESSES or outcome.difference is not None or outcome.unavailable:
            break
        arguments = maker.arguments(use, attempt)
        if compare_once(twin, python, file, function, use, arguments, outcome) and use == "documents":
            good += arguments[0]
    if use == "documents" and good and outcome.difference is None and not outcome.unavailable:
        compare_once(twin, python, file, function, use, [shims_documents.same_columns(good)], outcome)
    return outcome


def read_table(path):
    """{sha256: {(use, function), ...}}"""
    table, functions = {}, None
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        words = line.split()
        if not words or line.startswith("#"):
            continue
        if line.startswith(" "):
            functions.update((words[0], name) for name in words[1:])
        else:
            functions = table.setdefault(words[0], set())
    return table


def main(binary, tasks, table, *options):
    real = "--real-datasets" in options
    rows = read_table(table)
    twin = Twin(binary)
    python = shims_python.Python(Path(tasks), real_datasets=real)
    compared, different, skipped, seen = 0, 0, 0, set()
    for file in sorted(Path(tasks).rglob("*.py")):
        sha = hashlib.sha256(file.read_bytes()).hexdigest()
        for use, function in sorted(rows.get(sha, ())):
            is_new = (sha, use, function) not in seen
            seen.add((sha, use, function))
            if real and (use != "documents" or not is_new):
                continue
            if reason := python.missing(file):
                skipped += 1
                print(f"SKIPPED: {file.relative_to(tasks)} {function}: {reason}")
                continue
            outcome = compare(twin, python, file, function, use)
            if outcome.unavailable:
                skipped += 1
                print(f"SKIPPED: {file.relative_to(tasks)} {function}: {outcome.unavailable}")
                continue
            compared += 1
            if not outcome.good():
                different += 1
                print(f"{file.relative_to(tasks)} {function} ({use}): {outcome.difference or outcome.last_error}")
    absent = sum(len(v) for v in rows.values()) - len(seen)
    if absent:
        print(f"{absent} functions of the table are in no file of {tasks}")
    print(f"{compared - different} passed, {different + absent} failed, {skipped} skipped")
    return 1 if different or absent else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
