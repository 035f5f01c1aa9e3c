"""Compares tare's task hashes on synthetic documents with lm-eval's.

    python compare.py TARE TASKS DATA [--full REFERENCE.jsonl] [--refused FILE]     (needs PyYAML)

TASKS is lm-eval's task folder, DATA what generate.py wrote. Without --full the committed hashes are used;
with it, the file that reference.py wrote, the first document that differs is named as well. Prints how
many tasks are equal, different and refused, the reasons of those refused, and every difference. Exits with
1 if a task differs or if fewer than MIN_PURE pure tasks or MIN_ALL tasks are equal.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import hashes
from generate import SEED, VERSION
from task_files import TaskFolder, functions_in

LIMIT = 4
BATCH = 3000
MIN_PURE, MIN_ALL = 4500, 9000
# Tasks that differ on purpose, and why (docs/design/shims.md).
ON_PURPOSE = {"webqs": "lm-eval's helper sorts a column of the document itself, which its document hash then shows"}
COMMITTED = Path(__file__).parent / "reference.txt"


class Reference:
    """lm-eval's answer for (task, setting): a hash, or why there is none."""

    def __init__(self, full):
        self.documents = {}
        if full is None:
            header, self.marks = hashes.read(COMMITTED)
            wanted = {"seed": str(SEED), "generator": str(VERSION), "limit": str(LIMIT)}
            found = {key: header.get(key) for key in wanted}
            if found != wanted:
                sys.exit(f"{COMMITTED}: found {found}, wanted {wanted}; make it again with record.py")
            return
        self.marks = {}
        for text in open(full, encoding="utf-8"):
            line = json.loads(text)
            key = (line["task"], line["num_fewshot"])
            self.marks[key] = hashes.mark(line)
            self.documents[key] = line.get("docs")

    def tasks(self, setting):
        return [task for (task, s), mark in self.marks.items() if s == setting and mark not in ("-", "~")]


class Outcome:
    """What tare says of one task in one setting, held against the reference."""

    def __init__(self, verdict, detail=""):
        self.verdict, self.detail = verdict, detail


def validate(tare, tasks_folder, data, setting, names):
    """The lines of `tare validate --json` by task. tare is kept from the network."""
    found = {}
    environment = dict(os.environ, HF_HUB_OFFLINE="1")
    command = [tare, "validate", "--json", "--datasets", str(data), "--include-path", str(tasks_folder), "--limit", str(LIMIT)]
    if setting is not None:
        command += ["--num-fewshot", str(setting)]
    for start in range(0, len(names), BATCH):
        run = subprocess.run(command + names[start:start + BATCH], capture_output=True, text=True, cwd=data,
                             env=environment, check=False)
        for text in run.stdout.splitlines():
            line = json.loads(text)
            found[line["task"]] = line
        if not run.stdout:
            sys.exit(f"tare validate: exit status {run.returncode} without a line: {run.stderr.strip()[-300:]}")
    return found


def judge(line, mark, documents):
    if line is None:
        return Outcome("different", "tare printed no line")
    if line["status"] != "ok":
        if mark == "!":
            return Outcome("neither")
        return Outcome(line["status"], reason_of(line))
    if mark == "!":
        return Outcome("only tare")
    if line["task_hash"].startswith(mark):
        return Outcome("equal")
    return Outcome("different", first_difference(line.get("docs"), documents))


def reason_of(line):
    """The reason without what is particular to one task, so that reasons can be counted."""
    text = line.get("reason") or "no reason given"
    text = re.sub(r"^task \S+?(: |, (?=metric))", "", text)
    text = re.sub(r"^\S*/\S+?:(\d+:)? ", "", text)
    text = re.sub(r"(!function) .*? is Python", r"\1 ... is Python", text).split(" (")[0].split("; ")[0]
    return re.sub(r"'[^']*'|\"[^\"]*\"|\d+", "_", re.sub(r"\S*/\S+", "FILE", text))[:160]


def first_difference(ours, theirs):
    if not theirs or not ours:
        return "task hash"
    if len(ours) != len(theirs):
        return f"{len(ours)} documents against {len(theirs)}"
    for mine, other in zip(ours, theirs):
        for name, a, b in zip(("id", "document", "prompt", "target"), mine, other):
            if a != b:
                return f"document {mine[0]}: {name} differs"
    return "documents equal: the number of filters differs"


ORDER = ("different", "faulty", "refused", "only tare", "equal", "neither")


def worst(outcomes):
    return min(outcomes, key=lambda outcome: ORDER.index(outcome.verdict))


def compare(arguments, reference):
    """{task: [Outcome of each setting]}"""
    found = collections.defaultdict(list)
    for setting in hashes.SETTINGS:
        names = [n for n in reference.tasks(setting) if arguments.only is None or n in arguments.only]
        lines = validate(arguments.tare, arguments.tasks, arguments.data, setting, names)
        for name in names:
            key = (name, setting)
            outcome = judge(lines.get(name), reference.marks[key], reference.documents.get(key))
            if outcome.verdict == "different":
                outcome.detail += "" if setting is None else f" (with {setting} examples)"
            found[name].append(outcome)
    return found


def report(found, pure, folder_size):
    worsts = {name: worst(outcomes) for name, outcomes in found.items()}
    equal = {}
    for label, names, total in (("pure", pure & set(worsts), len(pure)), ("all", set(worsts), folder_size)):
        counts = collections.Counter(worsts[name].verdict for name in names)
        equal[label] = counts["equal"]
        print(f"{label}: {total} tasks: " + ", ".join(f"{counts[v]} {v}" for v in ORDER) + f", {total - len(names)} not compared")
    for verdict in ("refused", "faulty"):
        reasons = collections.Counter(o.detail for o in worsts.values() if o.verdict == verdict)
        for reason, count in reasons.most_common():
            example = next(n for n, o in worsts.items() if o.verdict == verdict and o.detail == reason)
            print(f"  {verdict} {count}: {reason} (as {example})")
    different = {n: o for n, o in worsts.items() if o.verdict == "different"}
    for name, outcome in sorted(different.items()):
        print(f"  differs: {name}: {outcome.detail}{' (on purpose: ' + ON_PURPOSE[name] + ')' if name in ON_PURPOSE else ''}")
    unexpected = set(different) - set(ON_PURPOSE)
    print(f"{equal['all']} of {folder_size} tasks equal, {equal['pure']} of {len(pure)} without Python; "
          f"{len(unexpected)} different, {len(different) - len(unexpected)} on purpose")
    return not unexpected and equal["pure"] >= MIN_PURE and equal["all"] >= MIN_ALL


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tare")
    parser.add_argument("tasks", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--full", type=Path)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--refused", type=Path, help="write the refused tasks with their reasons there")
    arguments = parser.parse_args()
    folder = TaskFolder(arguments.tasks)
    pure = {name for name, config in folder.tasks.items() if not any(functions_in(config))}
    found = compare(arguments, Reference(arguments.full))
    if arguments.refused:
        rows = [f"{n}\t{worst(o).verdict}\t{worst(o).detail}\n" for n, o in sorted(found.items()) if worst(o).verdict in ("refused", "faulty")]
        arguments.refused.write_text("".join(rows), encoding="utf-8")
    return 0 if report(found, pure, len(folder.tasks)) else 1


if __name__ == "__main__":
    sys.exit(main())
