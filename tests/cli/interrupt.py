"""Stops a run with Ctrl-C (SIGINT) and looks at what it leaves. Usage: interrupt.py TARE"""

import json
import os
import pathlib
import signal
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


def start(tare, folder):
    (folder / "script.json").write_text(json.dumps(SCRIPT))
    (folder / "slow.yaml").write_text(TASK)
    (folder / "slow.jsonl").write_text("".join('{"q": "question %d"}\n' % i for i in range(200)))
    return subprocess.Popen([tare, "run", "--model", "scripted:script.json", "--tasks", "slow.yaml",
                             "--output", "out"], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def lines(path):
    return path.read_text().splitlines() if path.exists() else []


def wait_for(log, count, process):
    deadline = time.monotonic() + 60
    while len(lines(log)) < count and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.02)


def main(tare):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        process = start(os.path.abspath(tare), folder)
        log = folder / "out" / "unfinished.jsonl"
        wait_for(log, 5, process)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        left = [json.loads(line) for line in lines(log)]
        checks = {
            "exit code is 130": process.returncode == 130,
            "nothing on stdout": stdout == "",
            "the message names the file": "out/unfinished.jsonl" in stderr,
            "no finished results": not (folder / "out" / "results.json").exists(),
            "finished items are kept, as whole lines": 5 <= len(left) < 401,
            "an item says what it is": all(
                item["task"] == "slow" and item["log_likelihood"] == -1.0 for item in left[1:]),
        }
    for text, held in checks.items():
        print(("ok   " if held else "FAIL ") + text)
    if not all(checks.values()):
        print(process.returncode, stderr)
    print(f"{sum(checks.values())} passed, {len(checks) - sum(checks.values())} failed, 0 skipped")
    return 0 if all(checks.values()) else 1


sys.exit(main(sys.argv[1]))
