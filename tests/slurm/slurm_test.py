"""Runs scripts/slurm on a cluster of one node: a job array and a merge leave the files of one run, also
after a part was killed and submitted again. Usage: slurm_test.py TARE"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import cluster

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "slurm"
SCRIPT = {"seconds_per_item": 0.02, "rules": [{"context_contains": "1", "log_likelihood": -0.3333333333333333},
                                               {"log_likelihood": -2.123456789012345, "greedy": True}]}
TASK = """task: slow
dataset_path: json
dataset_kwargs: {data_files: {test: slow.jsonl}}
output_type: multiple_choice
test_split: test
doc_to_text: "{{q}}"
doc_to_choice: [a, b, c]
doc_to_target: 0
metric_list: [{metric: acc}]
"""
ASKED = ["--model", "scripted:script.json", "--tasks", "slow.yaml"]
PARTS = 7


def prepare(folder):
    (folder / "script.json").write_text(json.dumps(SCRIPT))
    (folder / "slow.yaml").write_text(TASK)
    (folder / "slow.jsonl").write_text("".join('{"q": "question %d"}\n' % i for i in range(70)))


def run(words, folder, environment):
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def results(folder):
    """Name and bytes of the result files."""
    return {name: (folder / name).read_bytes() if (folder / name).exists() else b""
            for name in ("results.json", "samples_slow.jsonl")}


def logs(folder):
    return "\n".join(f"{path.name}: {path.read_text()[-500:]}" for path in sorted(folder.glob("*.log")))


def submit(slurm, folder, output):
    """The numbers of the array job and of the merge."""
    told = run([str(SCRIPTS / "submit.sh"), str(PARTS), output, *ASKED], folder, slurm.environment)
    return re.findall(r"job (\d+)", told)


def array_and_merge(slurm, folder, whole):
    submit(slurm, folder, "cluster")
    yield "the jobs end", slurm.wait_for_jobs(120)
    same = results(folder / "cluster" / "results") == whole
    if not same:
        print(logs(folder / "cluster"))
    yield "an array of seven parts and a merge are one run", same
    yield "each part has a log", len(list((folder / "cluster").glob("part-*.log"))) == PARTS


def killed_part(slurm, folder, whole):
    array, merge = submit(slurm, folder, "killed")
    journal = folder / "killed" / "part-3" / "journal.sqlite-wal"
    deadline = time.monotonic() + 60
    while not journal.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.2)
    slurm.ask("scancel", "--signal=KILL", "--full", f"{array}_3")
    slurm.ask("scancel", f"{array}_3")
    yield "the jobs end without it", slurm.wait_for_jobs(120)
    yield "parts that are not complete are not merged", not (folder / "killed" / "results").exists()
    run(["sbatch", "--array=3", "--output", "killed/again.log", str(SCRIPTS / "part.sh"), str(PARTS),
         str(folder / "killed"), *ASKED], folder, slurm.environment)
    yield "the part goes on", slurm.wait_for_jobs(120)
    run(["sbatch", "--output", "killed/merge.log", str(SCRIPTS / "merge.sh"), str(folder / "killed")], folder,
        slurm.environment)
    slurm.wait_for_jobs(120)
    same = results(folder / "killed" / "results") == whole
    if not same:
        print(logs(folder / "killed"))
    yield "and the merge is one run", same


def main(tare):
    if reason := cluster.missing():
        print(f"SKIPPED: shards on a Slurm cluster: {reason}")
        return 0
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="tare-slurm-") as name:
        folder = pathlib.Path(name) / "work"
        folder.mkdir()
        prepare(folder)
        environment = dict(os.environ, TARE=os.path.abspath(tare))
        run([environment["TARE"], "run", "--quiet", *ASKED, "--output", "whole"], folder, environment)
        os.mkdir(pathlib.Path(name) / "slurm")
        try:
            with cluster.Cluster(pathlib.Path(name) / "slurm", environment) as slurm:
                for check in (array_and_merge, killed_part):
                    for text, held in check(slurm, folder, results(folder / "whole")):
                        print(("ok   " if held else "FAIL ") + text, flush=True)
                        passed, failed = passed + held, failed + (not held)
        except cluster.CannotStart as reason:
            print(f"SKIPPED: shards on a Slurm cluster: {reason}")
            return 0
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


sys.exit(main(sys.argv[1]))
