"""Stops a run with Ctrl-C (SIGINT), looks at what it leaves, and goes on. Usage: interrupt.py TARE"""

import contextlib
import json
import os
import pathlib
import shlex
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

SCRIPT = {"seconds_per_item": 0.05, "rules": [{"log_likelihood": -1.0}]}
TASK = """task: slow
dataset_path: json
dataset_kwargs: {data_files: {test: slow.jsonl}}
output_type: multiple_choice
test_split: test
doc_to_text: "{{q}}"
doc_to_choice: [a, b]
doc_to_target: 0
metric_list: [{metric: acc}]
"""


WORDS = ["run", "--model", "scripted:script.json", "--tasks", "slow.yaml"]


def prepare(folder):
    (folder / "script.json").write_text(json.dumps(SCRIPT))
    (folder / "slow.yaml").write_text(TASK)
    (folder / "slow.jsonl").write_text("".join('{"q": "question %d"}\n' % i for i in range(50)))


def start(tare, folder, *more, output=("--output", "out")):
    return subprocess.Popen([tare, *WORDS, *output, *more], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def do(tare, folder, *words):
    return subprocess.run([tare, *words], cwd=folder, capture_output=True, text=True, timeout=60)


def wait_for_answers(folder, process, output="out"):
    """The journal is locked, but its log grows with the answers."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if any(log.stat().st_size > 0 for log in folder.glob(f"{output}/journal.sqlite-wal")):
            return time.sleep(0.5)
        time.sleep(0.02)


def answers(folder):
    with contextlib.closing(sqlite3.connect(folder / "out" / "journal.sqlite")) as journal:
        return journal.execute("SELECT position, greedy FROM answers").fetchall()


def main(tare):
    tare = os.path.abspath(tare)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder)
        process = start(tare, folder)
        wait_for_answers(folder, process)
        at_work = do(tare, folder, "show", "out")
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        left = answers(folder)
        finished = (folder / "out" / "results.json").exists()
        shown = do(tare, folder, "show", "out").stdout
        state = json.loads(do(tare, folder, "show", "out", "--json").stdout)
        compared = do(tare, folder, "show", "out", "--against", "out")
        other = start(tare, folder, "--limit", "3")
        refusal = other.communicate(timeout=60)[1]
        again = start(tare, folder)
        resumed = again.communicate(timeout=60)[1]
        elsewhere = start(tare, folder, output=())
        wait_for_answers(folder, elsewhere, "tare-runs/*")
        elsewhere.send_signal(signal.SIGINT)
        told = [shlex.split(line.split("go on with: ")[1]) for line in elsewhere.communicate(timeout=60)[1].splitlines()
                if "go on with: " in line]
        gone_on = do(tare, folder, *(told[0][1:] if told else ["run"]))
        checks = {
            "exit code is 130": process.returncode == 130,
            "nothing on stdout": stdout == "",
            "the message tells how to go on":
                f"{len(left)} of 100 answers are in out/journal.sqlite; go on with: tare run --model "
                "scripted:script.json --tasks slow.yaml --output out\n" in stderr,
            "tare show tells how far it is and how to go on":
                f"out: stopped: {len(left)} of 100 answers are there\n" in shown and
                shown.endswith("with: tare run --model scripted:script.json --tasks slow.yaml --output out\n"),
            "tare show --json too":
                (state["answers"], state["asked"], state["ended"]) == (len(left), 100, False) and
                state["next"] == ["tare", *WORDS, "--output", "out"],
            "tare show of a run at work says that it is one":
                at_work.returncode == 2 and "is being written by a run at work" in at_work.stderr,
            "a run without results is not compared, and how to finish it is told":
                compared.returncode == 2 and compared.stderr.startswith(
                    f"tare: out: has no results yet, {len(left)} of 100 answers are there; finish it, in ") and
                compared.stderr.endswith("with: tare run --model scripted:script.json --tasks slow.yaml --output out\n"),
            "a run without --output tells the folder that it made":
                elsewhere.returncode == 130 and len(told) == 1 and told[0][:2] == ["tare", "run"],
            "and that command goes on with it": gone_on.returncode == 0 and "resumed: " in gone_on.stderr,
            "no finished results": not finished,
            "finished answers are kept": 2 <= len(left) < 100,
            "other settings are refused":
                other.returncode == 2 and "--limit is not set there and 3 here" in refusal,
            "the same command goes on":
                again.returncode == 0 and
                f"resumed: {len(left)} of 100 answers are in out/journal.sqlite" in resumed,
            "and ends with all answers": len(answers(folder)) == 100,
        }
    for text, held in checks.items():
        print(("ok   " if held else "FAIL ") + text)
    if not all(checks.values()):
        print(process.returncode, stderr, refusal, resumed, sep="\n")
    print(f"{sum(checks.values())} passed, {len(checks) - sum(checks.values())} failed, 0 skipped")
    return 0 if all(checks.values()) else 1


sys.exit(main(sys.argv[1]))
