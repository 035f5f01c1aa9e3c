"""Asks one question in many ways: results.json and samples_*.jsonl are the same bytes each time.

Usage: invariance.py TARE quick|full [--models NAME,...] [--tiers NAME,...] [--small] [--minutes N] [--kills N]

"quick" asks the demo model small tasks of its own. "full" asks all models of the cache lm-eval's tasks on
data of ../shared/hub, on the machine's own CPU tier in every way and on older tiers in some. What is missing
is named and counted as skipped. Numbers of two tiers or of two models are never compared. To show that a
difference would be seen, runs that must differ are compared too.
"""

import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

from questions import FEW, MANY, SOME, Question, real_tasks_missing, write_tasks

MODELS = ["smollm2-135m-instruct-f32", "smollm2-135m-instruct-q8_0", "smollm2-135m-instruct-q4_k_m",
          "smollm2-135m-instruct-q4_1", "gemma-3-270m-q4_k_m"]
# From the newest of each kind to the oldest; AVX-512, AVX2, AVX and SSE 4.2.
TIERS = ["auto", "skylakex", "haswell", "sandybridge", "sse42"]
PARTS = 7


class Table:
    """Counts and prints what was compared."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def row(self, where, what, held):
        self.passed, self.failed = self.passed + held, self.failed + (not held)
        print(f"{'ok  ' if held else 'FAIL'} {where:<42} {what}", flush=True)

    def skip(self, what):
        self.skipped += 1
        print(f"SKIPPED {what}", flush=True)


def differing(a, b):
    return sorted(name for name in a.keys() | b.keys() if a.get(name) != b.get(name))


def equal(name, one, other):
    """A row for the table: whether two runs left the same files."""
    names = differing(one.files, other.files)
    return (f"{name}: {len(one.files)} files" + (f"; differ: {names}" if names else ""), not names)


def batches(question, whole, sizes):
    for size in sizes:
        other = question.run(f"batch-{size}", "--batch-size", size)
        yield equal(f"batch {size}", other, whole)
        streams = other.execution["backend"]["streams"]
        yield f"batch {size}: {streams} sequences side by side", size in ("auto", str(streams))


def other_batches(question, whole):
    return batches(question, whole, ["1", "4", "16", "auto"])


def few_batches(question, whole):
    return batches(question, whole, ["1", "16"])


def other_order(question, whole):
    turned = question.run("turned", tasks=question.tasks[::-1])
    names = differing(turned.tasks(), whole.tasks())
    yield f"tasks in another order: {len(turned.tasks())} samples files {names or ''}", not names
    yield "tasks in another order: tables of results.json", turned.numbers() == whole.numbers()


def other_company(question, whole):
    for task in question.tasks:
        alone = question.run(f"alone-{task}", tasks=[task])
        yield f"{task} alone: its samples file", alone.samples(task) == whole.samples(task)
        yield f"{task} alone: its rows of results.json", alone.numbers([task]) == whole.numbers([task])


def own_prefixes(question, whole):
    """Each sequence from its first token on. The model argument is in results.json."""
    alone = question.run("no-share", arguments=",share=no")
    names = differing(alone.tasks(), whole.tasks())
    yield f"no shared prefixes: {len(alone.tasks())} samples files {names or ''}", not names


def cached(question, whole):
    cold = question.run("cold", cache="answers.sqlite")
    yield equal("cold cache", cold, whole)
    warm = question.run("warm", cache="answers.sqlite")
    yield equal("warm cache", warm, whole)
    yield "the warm cache had all answers", warm.answers["asked"] == 0 and warm.answers["cache"] > 0


def in_parts(question, whole):
    names = [f"part-{n}" for n in range(1, PARTS + 1)]
    for n, name in enumerate(names, start=1):
        question.do(question.words(name, "--shard", f"{n}/{PARTS}"))
    yield equal(f"{PARTS} shards merged", question.merge("merged", names[::-1]), whole)


def killed(question, whole, kills, seconds):
    draw, done = random.Random(1), 0
    while done < kills:
        output = f"killed-{done}"
        for _ in range(min(draw.randint(1, 4), kills - done)):
            done += question.run_and_kill(output, draw.uniform(0.05, 0.9) * seconds)
        yield equal(f"after {done} kills", question.run(output), whole)


def threads_and_company(few, whole):
    """Few documents, since two threads beside a busy neighbour take long."""
    one = few.run("few")
    for task in few.tasks:
        first = whole.samples(task).splitlines()[:len(one.samples(task).splitlines())]
        yield f"{task} with fewer documents: its samples", one.samples(task).splitlines() == first
    yield equal("2 threads", few.run("few-2", threads=2), one)
    yield equal("2 threads, batch 4", few.run("few-2-4", "--batch-size", "4", threads=2), one)


def must_differ(question, whole):
    """Comparisons that find nothing would be worth nothing."""
    half = question.run("f16", arguments=",kv=f16")
    choices = [t for t in question.tasks if t not in ("sampled", "greedy", "triviaqa_5")]
    yield "self-check: a float16 KV cache differs in all scored tasks", all(
        half.samples(task) != whole.samples(task) for task in choices)
    other = question.run("seeded", "--seed", "0,1234,99,1234", tasks=["sampled"])
    yield "self-check: another seed draws another answer", other.samples("sampled") != whole.samples("sampled")


def verdict(question, whole):
    yield f"the run's own verdict: {whole.verdict()}", whole.verdict() == "held"


def compare(table, where, question, few, ways, kills):
    begin = time.monotonic()
    whole = question.run("whole")
    seconds = time.monotonic() - begin
    print(f"     {where}: one run takes {seconds:.1f} s", flush=True)
    for way in ways:
        if way is killed:
            rows = killed(question, whole, kills, seconds)
        else:
            rows = way(few if way is threads_and_company else question, whole)
        for what, held in rows:
            table.row(where, what, held)


def cache_folder():
    default = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "tare"
    return pathlib.Path(os.environ.get("TARE_CACHE_DIR", default))


def tiers_here(tare):
    out = subprocess.run([tare, "ls", "tiers"], capture_output=True, text=True, check=True).stdout
    return {"auto"} | set(re.findall(r"^(\S+)\s+runs here", out, re.M))


EVERY_WAY = [verdict, must_differ, other_batches, other_order, other_company, own_prefixes, cached, in_parts,
             threads_and_company, killed]
SOME_WAYS = [verdict, must_differ, few_batches, other_order, cached]


def combinations(arguments, table):
    """(model file, tier, ways) of all there are."""
    models, tiers = (MODELS, TIERS) if arguments.extent == "full" else (["smollm2-135m-instruct-q4_1"], ["auto"])
    models = arguments.models.split(",") if arguments.models else models
    tiers = arguments.tiers.split(",") if arguments.tiers else tiers
    there = tiers_here(arguments.tare)
    for tier in tiers:
        if tier not in there:
            table.skip(f"CPU tier {tier}: does not run here")
            continue
        for name in models:
            path = cache_folder() / "models" / f"{name}.gguf"
            if not path.is_file():
                table.skip(f"{name} on {tier}: {path.name} is not in the cache (tools/make_models.sh)")
                continue
            yield path, tier, EVERY_WAY if tier == "auto" and arguments.extent == "full" else SOME_WAYS


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tare")
    parser.add_argument("extent", choices=["quick", "full"])
    parser.add_argument("--models", help="names of files in the cache without .gguf")
    parser.add_argument("--tiers")
    parser.add_argument("--small", action="store_true", help="fewer documents")
    parser.add_argument("--minutes", type=float, default=600, help="after which no model is begun")
    parser.add_argument("--kills", type=int, default=4, help="of each model that is compared in every way")
    arguments = parser.parse_args()
    arguments.tare = os.path.abspath(arguments.tare)
    table = Table()
    missing = real_tasks_missing() if arguments.extent == "full" else ""
    if missing:
        table.skip(f"tasks of lm-eval: {missing}; tare's own are asked")
    deadline = time.monotonic() + 60 * arguments.minutes
    for model, tier, ways in combinations(arguments, table):
        if time.monotonic() > deadline:
            table.skip(f"{model.stem} on {tier}: the {arguments.minutes:g} minutes are over")
            continue
        with tempfile.TemporaryDirectory(prefix="tare-invariance-") as name:
            folder = pathlib.Path(name)
            tasks = write_tasks(folder, arguments.extent == "full" and not missing)
            make = lambda counts: Question(arguments.tare, folder, model, tier, tasks, counts)
            compare(table, f"{model.stem} {tier}", make(MANY if ways is EVERY_WAY and not arguments.small else SOME), make(FEW), ways,
                    arguments.kills)
    print(f"{table.passed} passed, {table.failed} failed, {table.skipped} skipped")
    return 1 if table.failed else 0


sys.exit(main())
