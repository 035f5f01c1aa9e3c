"""Runs in parts and with answers of earlier runs: the result files are the same bytes as those of one
run. Usage: shards.py TARE scripted|model

"scripted" looks answers up in a script; "model" scores the demo model where it is in the cache.
"""

import concurrent.futures
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

SCRIPT = {"rules": [{"context_contains": "3", "log_likelihood": -0.3333333333333333, "greedy": True,
                     "text": "three it is"},
                    {"context_contains": "7", "log_likelihood": -1e-9, "text": "seven"},
                    {"log_likelihood": -2.123456789012345, "text": "no"}]}
# (name, output type, what it adds): each kind of request, and answers that are sampled twice.
TASKS = [("choices", "multiple_choice", 'doc_to_choice: [" a", " b c", " d"]\ndoc_to_target: 1\n'),
         ("rolling", "loglikelihood_rolling", 'doc_to_target: "{{q}} and some more of {{q}}"\n'),
         ("answers", "generate_until", 'doc_to_target: " 3"\ngeneration_kwargs: {max_gen_toks: 6, until: ["."]}\n'),
         ("sampled", "generate_until", 'doc_to_target: " 3"\nrepeats: 2\n'
          'generation_kwargs: {max_gen_toks: 6, until: ["."], do_sample: true, temperature: 0.9}\n')]
PARTS = 7


class Work:
    """A folder with tasks, and the program run in it."""

    def __init__(self, tare, folder, model, documents):
        self.tare, self.folder, self.model = os.path.abspath(tare), pathlib.Path(folder), model
        self.environment = dict(os.environ, HF_HUB_OFFLINE="1")
        (self.folder / "script.json").write_text(json.dumps(SCRIPT))
        (self.folder / "d.jsonl").write_text(
            "".join('{"q": "Question %d: what is %d plus %d?"}\n' % (i, i, i * i) for i in range(documents)))
        for name, kind, more in TASKS:
            (self.folder / f"{name}.yaml").write_text(
                f"task: {name}\ndataset_path: json\ndataset_kwargs: {{data_files: {{test: d.jsonl}}}}\n"
                f"output_type: {kind}\ntest_split: test\ndoc_to_text: "
                + ('""\n' if kind == "loglikelihood_rolling" else '"{{q}}"\n') + more)

    def words(self, output, *more, threads=1):
        return [self.tare, "run", "--quiet", "--model", self.model, "--threads", str(threads), "--tasks",
                ",".join(f"{name}.yaml" for name, _, _ in TASKS), "--output", output, *more]

    def do(self, words, want=0, cwd=None):
        done = subprocess.run(words, cwd=cwd or self.folder, env=self.environment, capture_output=True,
                              text=True)
        if done.returncode != want:
            raise RuntimeError(f"{words}: exit code {done.returncode}\n{done.stderr}")
        return done.stderr

    def results(self, output):
        """Name and bytes of each result file."""
        found = {p.name: p.read_bytes() for p in (self.folder / output).iterdir()
                 if p.name == "results.json" or p.name.startswith("samples_")}
        if len(found) != 1 + len(TASKS):
            raise RuntimeError(f"{output} holds {sorted(found)}")
        return found


def parts_make_the_whole(work):
    work.do(work.words("whole", "--cache", "off"))
    for n in range(1, PARTS + 1):
        work.do(work.words(f"part-{n}", "--cache", "off", "--shard", f"{n}/{PARTS}"))
    names = [f"part-{n}" for n in range(PARTS, 0, -1)]
    work.do([work.tare, "merge", *names, "--output", "merged", "--quiet"])
    yield "seven shards merged are one run", work.results("merged") == work.results("whole")
    elsewhere = work.folder / "elsewhere"
    elsewhere.mkdir()
    work.do([work.tare, "merge", *(f"../{n}" for n in names), "--output", "merged", "--quiet"], cwd=elsewhere)
    yield "wherever they are merged", work.results("elsewhere/merged") == work.results("whole")
    refusal = work.do([work.tare, "merge", "whole", "--output", "again", "--quiet"], want=2)
    yield "a whole run is no shard", (
        refusal.startswith("tare: whole: is of a whole run, ") and not (work.folder / "again").exists())
    work.do(work.words("only", "--cache", "off", "--shard", "1/1"))
    work.do([work.tare, "merge", "only", "--output", "again", "--quiet"])
    yield "the only shard is the whole run", work.results("again") == work.results("whole")


def failures_keep_their_reasons(work):
    """As a model of its own: the rules of the others never fail."""
    rules = [{"context_contains": "5", "failure": "HTTP 503 after 3 attempts"},
             {"context_contains": "11", "failure": "no log-probabilities in the answer"}, *SCRIPT["rules"]]
    (work.folder / "failing.json").write_text(json.dumps({"rules": rules}))
    words = lambda output, *more: [
        "scripted:failing.json" if word == work.model else word for word in work.words(output, "--cache", "off", *more)]
    work.do(words("failed"), want=3)
    names = [f"failed-{n}" for n in range(1, 4)]
    for n, name in enumerate(names, 1):
        work.do(words(name, "--shard", f"{n}/3"), want=3)
    work.do([work.tare, "merge", *names, "--output", "failed-merged", "--quiet"], want=3)
    whole = work.results("failed")
    counted = [task["failures"] for task in json.loads(whole["results.json"])["tare"]["tasks"].values()]
    yield "failures are counted by reason", {reason for task in counted for reason in task} == {
        "HTTP 503 after 3 attempts", "no log-probabilities in the answer"}
    yield "merged as in one run", work.results("failed-merged") == whole
    work.do([work.tare, "merge", *names, "--output", "failed-merged", "--quiet"], want=3)
    yield "and merged again", work.results("failed-merged") == whole


def a_killed_part_is_finished(work):
    process = subprocess.Popen(work.words("part-1k", "--cache", "off", "--shard", f"1/{PARTS}"),
                               cwd=work.folder, env=work.environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < deadline and not answers(work, "part-1k"):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    names = ["part-1k"] + [f"part-{n}" for n in range(2, PARTS + 1)]
    merge = [work.tare, "merge", *names, "--output", "merged-k", "--quiet"]
    refusal = work.do(merge, want=2)
    yield "an unfinished shard is refused, and how to finish it is told", (
        "answers are missing; finish it: its command again, with --output part-1k" in refusal)
    yield "a refused merge leaves nothing", not (work.folder / "merged-k").exists()
    work.do(work.words("part-1k", "--cache", "off", "--shard", f"1/{PARTS}"))
    work.do(merge)
    yield "once finished it is as good as any", work.results("merged-k") == work.results("whole")


def answers(work, output):
    """Rows of a journal, also of one that a run is at work in."""
    try:
        copy = work.folder / "peek"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(work.folder / output, copy)
        return sqlite3.connect(copy / "journal.sqlite").execute("SELECT count(*) FROM answers").fetchone()[0]
    except (sqlite3.Error, shutil.Error, OSError):
        return 0


def cached_answers_are_the_same(work):
    cache = ("--cache", "shared.sqlite")
    with concurrent.futures.ThreadPoolExecutor() as pool:
        runs = [pool.submit(work.do, work.words(f"side-{n}", *cache)) for n in range(4)]
        for run in runs:
            run.result()
    yield "runs side by side share a new file", all(
        work.results(f"side-{n}") == work.results("whole") for n in range(4))
    words = [w for w in work.words("cached", *cache) if w != "--quiet"]
    told = work.do(words).splitlines()
    yield "a later run takes every answer", any(
        "answers from the response cache" in line and line.split()[0] == line.split()[2] for line in told)
    yield "and has the same results", work.results("cached") == work.results("whole")
    database = sqlite3.connect(work.folder / "shared.sqlite")
    bytes_before = database.execute("SELECT count(*) FROM answers").fetchone()
    work.do(work.words("part-c", *cache, "--shard", f"3/{PARTS}"))
    yield "a shard takes its part and adds nothing", (
        answers(work, "part-c") == answers(work, "part-3")
        and database.execute("SELECT count(*) FROM answers").fetchone() == bytes_before)
    database.close()


def a_damaged_cache_costs_no_run(work):
    folder = work.folder / "cache-folder"
    folder.mkdir()
    work.environment["TARE_CACHE_DIR"] = str(folder)
    (folder / "answers.sqlite").write_text("this is no database\n" * 100)
    told = work.do(work.words("damaged"))
    del work.environment["TARE_CACHE_DIR"]
    yield "a damaged default cache is told and left alone", (
        "answers.sqlite: is no SQLite database" in told and "goes on without it" in told
        and (folder / "answers.sqlite").read_text().startswith("this is no database"))
    yield "and the results are there", work.results("damaged") == work.results("whole")


def the_machine_is_in_no_result(work):
    """What the cache folder remembers of a CPU tier that fails its probe is told, and changes no file."""
    folder = work.folder / "tier-folder"
    work.environment["TARE_CACHE_DIR"] = str(folder)
    work.do(work.words("tier-tried", "--cache", "off"))
    memory = json.loads((folder / "cpu-tier.json").read_text())
    skipped = {"code": "cpu-tier-skipped", "text": "CPU tier zen9 was killed in its probe", "count": 1}
    memory["warnings"] = [skipped]
    (folder / "cpu-tier.json").write_text(json.dumps(memory))
    told = work.do(work.words("tier-skipped", "--cache", "off"))
    work.do(work.words("tier-part", "--cache", "off", "--shard", "1/1"))
    work.do([work.tare, "merge", "tier-part", "--output", "tier-merged", "--quiet"])
    del work.environment["TARE_CACHE_DIR"]
    execution = json.loads((work.folder / "tier-skipped" / "execution.json").read_text())
    yield "a skipped CPU tier is told, in execution.json too", (
        skipped["text"] in told and execution["warnings"] == [skipped])
    yield "and in no result", work.results("tier-skipped") == work.results("whole")
    yield "nor in a merged one", work.results("tier-merged") == work.results("whole")


def demo_model():
    default = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "tare"
    return pathlib.Path(os.environ.get("TARE_CACHE_DIR", default)) / "models" / "smollm2-135m-instruct-q4_1.gguf"


def main(tare, kind):
    if kind == "model" and not demo_model().is_file():
        print("SKIPPED: shards of a real model: the demo model is not in the cache (tools/fetch.sh demo-model)")
        return 0
    checks = [parts_make_the_whole, a_killed_part_is_finished, cached_answers_are_the_same]
    if kind == "model":
        checks += [a_damaged_cache_costs_no_run, the_machine_is_in_no_result]
    else:
        SCRIPT["seconds_per_item"] = 0.01
        checks += [failures_keep_their_reasons]
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="tare-shards-") as folder:
        model = f"gguf:{demo_model()},max_length=512" if kind == "model" else "scripted:script.json"
        work = Work(tare, folder, model, documents=12 if kind == "model" else 20)
        for check in checks:
            for text, held in check(work):
                print(("ok   " if held else "FAIL ") + text, flush=True)
                passed, failed = passed + held, failed + (not held)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


sys.exit(main(sys.argv[1], sys.argv[2]))
