"""Kills the process of a study's runs, stops a study with Ctrl-C, and goes on. Usage: study.py TARE"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

SCRIPT = {"seconds_per_item": 0.05, "rules": [{"context_contains": "7", "text": " yes"}, {"text": " no"}]}
TASK = """task: slow
dataset_path: json
dataset_kwargs: {data_files: {test: slow.jsonl}}
output_type: generate_until
test_split: test
doc_to_text: "{{q}}"
doc_to_target: " yes"
generation_kwargs: {until: ["."]}
"""
STUDY = """name: slow
output: %s
models: {one: {script: script.json}}
backends: {base: "scripted:{script}", other: "scripted:{script}"}
modes: [deterministic]
benchmarks: {slow: {tasks: slow.yaml}}
resamples: 100
"""
FIRST = "cells/one/base/deterministic/slow/1"
SECOND = "cells/one/other/deterministic/slow/1"


def prepare(folder):
    (folder / "script.json").write_text(json.dumps(SCRIPT))
    (folder / "slow.yaml").write_text(TASK)
    (folder / "slow.jsonl").write_text("".join('{"q": "question %d"}\n' % i for i in range(40)))
    for name in ("killed", "stopped", "whole"):
        (folder / f"{name}.yaml").write_text(STUDY % name)


def start(tare, folder, name):
    return subprocess.Popen([tare, "study", f"{name}.yaml", "--no-trial"], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def wait_for_answers(folder, process, cell):
    """The journal's log grows with the answers."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        log = folder / cell / "journal.sqlite-wal"
        if log.exists() and log.stat().st_size > 0:
            return time.sleep(0.5)
        time.sleep(0.02)


def children(process):
    """Processes whose parent it is."""
    found = []
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(status.read_text().rpartition(")")[2].split()[1]) == process.pid:
                found.append(int(status.parent.name))
        except OSError:
            continue
    return found


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def finish(process):
    stdout, stderr = process.communicate(timeout=60)
    return process.returncode, stdout, stderr


def ledger(folder, name):
    return json.loads((folder / name / "study.json").read_text())["cells"]


def kept_answers(folder, name, cell):
    return json.loads((folder / name / cell / "execution.json").read_text())["answers"]["journal"]


def kill_a_run(tare, folder):
    process = start(tare, folder, "killed")
    wait_for_answers(folder / "killed", process, FIRST)
    workers = children(process)
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    code, _, stderr = finish(process)
    cells = ledger(folder, "killed")
    again, _, _ = finish(start(tare, folder, "killed"))
    return [
        ("one process does the runs", len(workers) == 1, workers),
        ("exit code 3 after a cell died", code == 3, (code, stderr)),
        ("the reason is told", "failed, the process of the run died: it was killed" in stderr, stderr),
        ("and kept", "it was killed" in (cells["one/base/deterministic/slow/1"]["failure"] or ""), cells),
        ("the next cell has results", (folder / "killed" / SECOND / "results.json").exists(), stderr),
        ("the same command makes it whole", again == 0, again),
        ("and goes on from the journal", kept_answers(folder, "killed", FIRST) > 0, None),
    ]


def stop_a_study(tare, folder):
    process = start(tare, folder, "stopped")
    wait_for_answers(folder / "stopped", process, FIRST)
    workers = children(process)
    process.send_signal(signal.SIGINT)
    code, _, stderr = finish(process)
    alive = [worker for worker in workers if is_alive(worker)]
    again, _, _ = finish(start(tare, folder, "stopped"))
    whole, _, _ = finish(start(tare, folder, "whole"))
    names = [path.relative_to(folder / "whole") for path in (folder / "whole").rglob("*")
             if path.name in ("items.jsonl", "results.json", "comparisons.csv", "samples_slow.jsonl")]
    different = [str(name) for name in names
                 if (folder / "whole" / name).read_bytes() != (folder / "stopped" / name).read_bytes()]
    return [
        ("exit code 130 after Ctrl-C", code == 130, (code, stderr)),
        ("how to go on is told", "the same command goes on from there" in stderr, stderr),
        ("no process is left", not alive, alive),
        ("it goes on", again == 0 and whole == 0, (again, whole)),
        ("from the journal", kept_answers(folder, "stopped", FIRST) > 0, None),
        ("to the same files as without a stop", len(names) == 6 and not different, (len(names), different)),
    ]


def main(tare):
    tare = os.path.abspath(tare)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder)
        checks = kill_a_run(tare, folder) + stop_a_study(tare, folder)
    failed = [(text, seen) for text, good, seen in checks if not good]
    for text, seen in failed:
        print(f"FAILED: {text}: {seen}")
    print(f"{len(checks) - len(failed)} passed, {len(failed)} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
