"""Compares tare with its peers: same model files, tasks, CPU tier and threads, in turns, answers first.

Usage: bench.py [OPTIONS]; --help lists them, README.md explains the table. Needs Python 3.11 alone; what
lm-eval needs goes into a venv in tare's cache.
"""

import argparse
import copy
import dataclasses
import itertools
import json
import os
import pathlib
import sys

import machine
import process
import table
import tare_runs
import whole
from llama_peers import BareDecode, BatchedBench, LlamaBench, Perplexity, tools_folder
from other_peers import LmEval, OtherTare, say
from works import MODELS, WORKS, target

BENCH = pathlib.Path(__file__).resolve().parent
ROOT = BENCH.parent


class Settings(argparse.Namespace):
    def with_tare(self, program):
        other = copy.copy(self)
        other.tare = pathlib.Path(program).resolve()
        return other


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(os.environ.get("TARE_CACHE_DIR") or pathlib.Path(base) / "tare")


def words(text):
    return [word for word in text.split(",") if word]


def parser():
    p = argparse.ArgumentParser(prog="bench.py", description="Compares tare with its peers.")
    p.add_argument("--works", type=words, default=["mmlu", "hellaswag", "arc", "generation"], metavar="A,B",
                   help=f"of {', '.join(work.name for work in WORKS)} (default: all but everyday)")
    p.add_argument("--models", type=words, default=list(MODELS), metavar="A,B",
                   help=f"of {', '.join(MODELS)}, or paths, or scripted:FILE (default: all)")
    p.add_argument("--peers", dest="peers_wanted", type=words, metavar="A,B",
                   help="only these; also tare and other-tare (default: all others)")
    p.add_argument("--pairs", type=int, default=5, help="pairs in each row (default: 5)")
    p.add_argument("--threads", type=int, default=os.cpu_count(), help="for every program (default: all)")
    p.add_argument("--tier", help="CPU tier for tare and llama.cpp (default: tare's choice)")
    p.add_argument("--limit", type=int, help="questions of each work (default: 100; stories 48)")
    p.add_argument("--whole", type=int, default=2000, metavar="N",
                   help="contexts to score of a whole benchmark's 10,042 (default: 2000; 0: none)")
    p.add_argument("--tare", type=pathlib.Path, default=ROOT / "build" / "release" / "tare")
    p.add_argument("--other-tare", type=pathlib.Path, help="another build, as the peer other-tare")
    p.add_argument("--datasets", type=pathlib.Path, default=ROOT.parent / "shared" / "hub",
                   help="folder with data sets as ORG/NAME")
    p.add_argument("--tasks", type=pathlib.Path, help="lm-eval's task folder (default: that of tare's cache)")
    p.add_argument("--no-venv", action="store_true", help="without lm-eval")
    p.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "bench")
    return p


def settle(arguments):
    """Options with their defaults filled in, paths made absolute."""
    settings = parser().parse_args(arguments, Settings())
    settings.bench, settings.cache = BENCH, cache_folder()
    for name in ("tare", "datasets", "out", "tasks", "other_tare"):
        path = getattr(settings, name)
        setattr(settings, name, path.resolve() if path else None)
    settings.tasks = settings.tasks or settings.cache / "lm-eval-0.4.13" / "lm_eval" / "tasks"
    settings.venv = None if settings.no_venv else settings.cache / "bench-venv"
    settings.peers = tools_folder(settings.tare.parent)
    settings.own_programs = settings.tare.parent / "bench"
    if not settings.tare.is_file():
        raise process.Failed(f"there is no {settings.tare}; wanted a built tare (make build)")
    unknown = set(settings.works) - {work.name for work in WORKS}
    if unknown:
        raise process.Failed(f"--works {', '.join(sorted(unknown))}: wanted "
                             f"{', '.join(work.name for work in WORKS)}")
    settings.tier = settings.tier or chosen_tier(settings)
    return settings


def chosen_tier(settings):
    """The tier that tare takes by itself: the first of its list that runs here."""
    lines = process.run([settings.tare, "ls", "tiers"]).output.splitlines()
    return next((line.split("\t")[0] for line in lines if line.endswith("runs here")), "")


def all_peers(settings):
    peers = [LlamaBench(settings), LlamaBench(settings, "f16"), BareDecode(settings), BatchedBench(settings),
             Perplexity(settings), LmEval(settings), OtherTare(settings, "no-sharing", "share=no")]
    extra = [OtherTare(settings, "tare")]
    if settings.other_tare:
        extra.append(OtherTare(settings, "other-tare", program=settings.other_tare))
    if settings.peers_wanted is None:
        return peers
    chosen = {peer.name: peer for peer in peers + extra}
    unknown = [name for name in settings.peers_wanted if name not in chosen]
    if unknown:
        raise process.Failed(f"--peers {', '.join(unknown)}: wanted {', '.join(chosen)}")
    return [chosen[name] for name in settings.peers_wanted]


def model_path(settings, name):
    """A name of MODELS, a path, or a scripted model."""
    if name.startswith("scripted:"):
        return name
    return settings.cache / "models" / MODELS[name] if name in MODELS else pathlib.Path(name).resolve()


def why_skipped(settings, work, model, peer):
    if not str(model).startswith("scripted:") and not model.is_file():
        return f"there is no {model.name} in {model.parent}"
    if work.hub and not settings.datasets.is_dir():
        return f"there is no folder {settings.datasets} with data sets (--datasets)"
    if work.hub and not settings.tasks.is_dir():
        return f"there are no task files in {settings.tasks} (tools/fetch.sh lm-eval)"
    return peer.missing()


def measure_pair(settings, work, model, peer):
    """One run of tare, one of the peer."""
    run = tare_runs.execute(settings, work, model, settings.out / "runs" / "tare", peer.extra)
    theirs = peer.time(work, model)
    ours = peer.ours(run)
    pair = {"tare": ours, "peer": theirs["value"], "ratio": peer.ratio(ours, theirs["value"]),
            "tare_seconds": run.seconds, "tare_model_seconds": run.model_seconds,
            "tare_peak_kib": run.peak_kib, "others": max(run.others, theirs["others"])}
    if theirs.get("model_seconds") and run.model_seconds > 0:
        pair["peer_model_seconds"] = theirs["model_seconds"]
        pair["model_seconds_ratio"] = theirs["model_seconds"] / run.model_seconds
    return pair


def measure_row(settings, work, model_name, peer):
    """Compares the answers, then the times."""
    model = model_path(settings, model_name)
    row = {"work": work.name, "model": model_name, "peer": peer.name, "metric": peer.metric,
           "target": target(work, peer, model_name), "pairs": []}
    row["skipped"] = why_skipped(settings, work, model, peer)
    if row["skipped"]:
        return table.row_result(row)
    folder = settings.out / "runs" / "tare"
    tare_runs.execute(settings, work, model, folder, peer.extra)
    agreement = peer.agree(work, model, tare_runs.read_answers(folder, work.task))
    row["agreement"] = dataclasses.asdict(agreement) if agreement else None
    row["peer_settings"] = peer.settings_text
    if agreement and not agreement.holds:
        row["failed"] = "the answers differ, so nothing was timed"
        return table.row_result(row)
    for _ in range(settings.pairs):
        row["pairs"].append(measure_pair(settings, work, model, peer))
    return table.row_result(row)


def checked_row(settings, work, model_name, peer):
    """A row whatever happens."""
    try:
        row = measure_row(settings, work, model_name, peer)
    except process.Failed as failure:
        row = table.row_result({"work": work.name, "model": model_name, "peer": peer.name, "metric": peer.metric,
                                "target": target(work, peer, model_name), "failed": str(failure)})
    say(" | ".join(cell for cell in table.cells(row) if cell))
    return row


def chosen_works(settings):
    chosen = [work for work in WORKS if work.name in settings.works]
    return [dataclasses.replace(work, limit=settings.limit) if settings.limit else work for work in chosen]


def write(settings, document):
    (settings.out / "bench.json").write_text(json.dumps(document, indent=2) + "\n")
    (settings.out / "bench.md").write_text(table.markdown(document))


def bench(settings):
    settings.out.mkdir(parents=True, exist_ok=True)
    document = {"schema_version": 1, "machine": machine.describe(settings), "pairs": settings.pairs, "models": {},
                "peer_hashes": machine.peer_hashes(settings), "rows": []}
    for name in settings.models:
        path = model_path(settings, name)
        if isinstance(path, pathlib.Path) and path.is_file():
            document["models"][name] = machine.sha256(path)
    for work in chosen_works(settings):
        for name, peer in itertools.product(settings.models, all_peers(settings)):
            if peer.applies(work, model_path(settings, name)):
                document["rows"].append(checked_row(settings, work, name, peer))
                write(settings, document)
    if settings.whole:
        document["whole"] = whole.run_whole(settings, model_path(settings, settings.models[0]), settings.whole)
    write(settings, document)
    return document


def main(arguments):
    try:
        settings = settle(arguments)
        document = bench(settings)
    except process.Failed as failure:
        print(f"bench: {failure}", file=sys.stderr)
        return 2
    print(table.markdown(document), end="")
    say(f"tables in {settings.out}")
    return 1 if any(row.get("failed") for row in document["rows"]) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
