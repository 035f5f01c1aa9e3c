"""Kills runs with SIGKILL at random moments, starts them again, and compares what they leave with an
undisturbed run, byte for byte. Usage: kill.py TARE [MODEL.gguf] [SEED]

The model is a file of the cache (tools/make_models.sh). Without one the scripted backend answers. Three tasks are run together: choices, generation, and
texts scored whole. Some kills wait for the moment in which result files are written.
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

KILLS = 20
SCRIPT = {"seconds_per_item": 0.01, "rules": [
    {"continuation": " red", "log_likelihood": -1.25, "greedy": True},
    {"log_likelihood": -0.3333333333333333}, {"text": " about seven things. And"}]}
COMMON = "dataset_path: json\ndataset_kwargs: {data_files: {test: data.jsonl}}\ntest_split: test\n"
TASKS = {
    "choice": """output_type: multiple_choice
doc_to_text: "Question: {{q}}\\nAnswer:"
doc_to_choice: [" red", " green as grass", " blue"]
doc_to_target: 0
metric_list: [{metric: acc}, {metric: acc_norm}]
""",
    "generate": """output_type: generate_until
doc_to_text: "{{q}} The answer is"
doc_to_target: seven
generation_kwargs: {until: ["\\n"], max_gen_toks: 12}
metric_list: [{metric: exact_match}]
""",
    "rolling": """output_type: loglikelihood_rolling
doc_to_text: ""
doc_to_target: "{{text}}"
metric_list: [{metric: word_perplexity}]
""",
}


class Runs:
    """One command, to be run in one folder after the other."""

    def __init__(self, tare, model, folder):
        self.folder = folder
        words = f"gguf:{model},max_length=64" if model else "scripted:script.json"
        self.command = [tare, "run", "--quiet", "--threads", "1", "--cache", "off", "--model", words,
                        "--tasks", ",".join(f"{name}.yaml" for name in TASKS)]

    def start(self, out):
        return subprocess.Popen(self.command + ["--output", out], cwd=self.folder,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def finish(self, out):
        begin = time.monotonic()
        process = self.start(out)
        error = process.communicate(timeout=600)[1]
        if process.returncode != 0:
            sys.exit(f"FAIL a run ends with {process.returncode}: {error}")
        return time.monotonic() - begin

    def went_on(self, out):
        """Whether the last run found some of the answers there and asked for the others."""
        answers = json.loads((self.folder / out / "execution.json").read_text())["answers"]
        return answers["journal"] > 0 and answers["asked"] > 0

    def results(self, out):
        return {path.name: path.read_bytes() for path in (self.folder / out).iterdir()
                if path.name == "results.json" or path.name.startswith("samples_")}


def prepare(folder, documents):
    (folder / "script.json").write_text(json.dumps(SCRIPT))
    for name, text in TASKS.items():
        (folder / f"{name}.yaml").write_text(f"task: {name}\n{COMMON}{text}")
    words = "the quick brown fox jumps over a lazy dog while seven ships sail home".split()
    rows = [{"q": f"How many {words[i % 14]}s are there in box {i}?",
             "text": " ".join(words[(i * k) % 14] for k in range(1, 40 + 20 * (i % 4)))}
            for i in range(documents)]
    (folder / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return process.returncode == -signal.SIGKILL


def kill_at_random(runs, out, seconds, draw):
    process = runs.start(out)
    try:
        process.wait(timeout=draw.uniform(0.02, 0.7) * seconds)
    except subprocess.TimeoutExpired:
        pass
    return kill(process)


def kill_while_writing(runs, out, files):
    """Waits until that many result files are there, whole or begun."""
    process = runs.start(out)
    folder = runs.folder / out
    while process.poll() is None:
        names = os.listdir(folder) if folder.is_dir() else []
        if sum(name.startswith(("samples_", "results.", "execution.")) for name in names) >= files:
            break
    return kill(process)


def check(runs, out, wanted, text):
    left = [path.name for path in (runs.folder / out).iterdir() if path.name.endswith(".part")]
    if runs.results(out) == wanted and not left:
        return 1
    differ = sorted(name for name, data in wanted.items() if runs.results(out).get(name) != data)
    print(f"FAIL {text}: differ: {differ}; left over: {left}")
    return 0


def in_cache(model):
    default = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "tare"
    path = pathlib.Path(os.environ.get("TARE_CACHE_DIR", default)) / "models" / model
    if not path.is_file():
        print(f"SKIPPED: {model} is not in the cache (tools/make_models.sh)")
        sys.exit(77)
    return path


def main(tare, model=None, seed="1"):
    draw, kills, passed, checks, in_the_middle = random.Random(int(seed)), 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as name:
        runs = Runs(os.path.abspath(tare), model and in_cache(model), pathlib.Path(name))
        prepare(runs.folder, 12 if model else 40)
        seconds = runs.finish("whole")
        wanted = runs.results("whole")
        while kills < KILLS:
            out, in_a_row = f"out{checks}", draw.randint(1, 5)
            kills += sum(kill_at_random(runs, out, seconds, draw) for _ in range(in_a_row))
            runs.finish(out)
            in_the_middle += runs.went_on(out)
            checks, passed = checks + 1, passed + check(runs, out, wanted, f"after {kills} kills")
        for files in range(1, len(wanted) + 1):
            out = f"writing{files}"
            kills += kill_while_writing(runs, out, files)
            there = runs.results(out).get("results.json")
            if there not in (None, wanted["results.json"]):
                sys.exit("FAIL results.json is there, but not whole")
            runs.finish(out)
            checks, passed = checks + 1, passed + check(runs, out, wanted, f"{files} files begun")
        runs.finish("whole")
        checks, passed = checks + 1, passed + check(runs, "whole", wanted, "a finished run")
    print(f"seed {seed}: {kills} kills, {in_the_middle} runs went on in the middle")
    checks, passed = checks + 1, passed + (in_the_middle > 0)
    print(f"{passed} passed, {checks - passed} failed, 0 skipped")
    return 0 if passed == checks else 1


sys.exit(main(*sys.argv[1:]))
