"""tare compare on runs that lm-eval and tare made of the same tasks, counted again here from the samples.

    compare_runs.py TARE LM_EVAL_FOLDER TARE_FOLDER      both are there
    compare_runs.py TARE --run                           makes both, by this interpreter's lm_eval

With --run, lm_eval's own functions also read what `tare show --lm-eval` writes: those that find results and
samples by their names, and the one that prints the table. Exit code 77: something is missing.
"""

import glob
import importlib.util
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
problems = []


def expect(condition, text):
    if not condition:
        problems.append(text)


def near(a, b):
    return (a is None and b is None) or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def samples(folder, task):
    below = os.path.join(glob.escape(str(folder)), "**")
    (path,) = (found for name in (f"samples_{task}.jsonl", f"samples_{task}_[0-9][0-9][0-9][0-9]-*.jsonl")
               for found in glob.glob(os.path.join(below, name), recursive=True))
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def values(folder, metric):
    return {line["doc_hash"]: line[metric["metric"]] for line in samples(folder, metric["task"])
            if line["filter"] == metric["filter"]}


def mcnemar(lost, won):
    n, least = lost + won, min(lost, won)
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(least + 1)) / 2**n) if n else 1.0


def check_verdicts(where, metric, pairs):
    lost, won = (sum(a != b and a == right for a, b in pairs) for right in (1, 0))
    counts = metric["verdicts"]
    expect((counts["right_to_wrong"], counts["wrong_to_right"]) == (lost, won), f"{where}: flips")
    expect(near(metric["p"], mcnemar(lost, won)), f"{where}: p {metric['p']}, wanted {mcnemar(lost, won)}")
    expect(len(metric["worse"]) == lost and len(metric["improved"]) == won, f"{where}: worse, improved")


def mean_of(kind, side):
    if kind == "perplexity" or kind == "bits":
        parts = [value if isinstance(value, list) else (value, 1) for value in side]
        mean = -sum(part[0] for part in parts) / sum(part[1] for part in parts)
        return math.exp(mean) if kind == "perplexity" else mean / math.log(2)
    return sum(side) / len(side)


def check_metric(metric, first, second):
    where = f"{metric['task']} {metric['metric']},{metric['filter']}"
    if metric["not_compared"]:
        expect(metric["metric"] in ("bleu", "chrf", "ter", "f1", "mcc"), f"{where}: {metric['not_compared']}")
        return 0
    one, other = values(first, metric), values(second, metric)
    common = [(one[key], other[key]) for key in one if key in other]
    expect(metric["items"] == len(common), f"{where}: {metric['items']} items, wanted {len(common)}")
    for side, place in (("first", 0), ("second", 1)):
        wanted = mean_of(metric["kind"], [pair[place] for pair in common])
        expect(near(metric[side]["value"], wanted), f"{where}: {side} {metric[side]['value']}, wanted {wanted}")
        expect(near(metric["reported"][place], wanted), f"{where}: reported {metric['reported'][place]}")
    if metric["kind"] == "verdicts":
        check_verdicts(where, metric, common)
    low, high = metric["difference"]["interval"]
    expect(low <= metric["difference"]["value"] <= high, f"{where}: the difference is outside of its interval")
    return 1


def compare(tare, first, second):
    done = subprocess.run([tare, "compare", str(first), str(second), "--json"], capture_output=True, text=True)
    expect(done.returncode == 0, f"exit code {done.returncode}: {done.stderr}")
    if done.returncode != 0:
        return 0
    document = json.loads(done.stdout)
    (pair,) = document["comparisons"]
    expect(not pair["differences"], f"differences: {pair['differences']}")
    expect(document["runs"][0]["written_by"].startswith("lm-eval"), "the first run is not lm-eval's")
    return sum(check_metric(metric, first, second) for metric in pair["metrics"])


def check_table(lm_eval_utils, tare, folder, results):
    """The lines of metrics; what stands around the numbers differs in blanks alone."""
    shown = subprocess.run([tare, "show", str(folder)], capture_output=True, text=True, check=True).stdout
    cells = [[cell.strip() for cell in line.split("|")] for line in shown.splitlines() if line.startswith("|")]
    printed = [[cell.strip() for cell in line.split("|")]
               for line in lm_eval_utils.make_table(results, sort_results=False).splitlines() if line.startswith("|")]
    expect(len(printed) > 2 and cells == printed, f"lm-eval's table of tare's results: {printed}, tare's: {cells}")


def check_keys(named, theirs, results):
    """The keys of lm-eval's own file, in its order; it has a few more that tell of its Python."""
    (path,) = theirs.glob("**/results_*.json")
    wanted = [key for key in json.loads(path.read_text()) if key in results]
    expect([key for key in results if key in wanted] == wanted, f"{named}: keys {list(results)}, lm-eval has {wanted}")
    expect({"date", "start_time", "end_time", "total_evaluation_time_seconds"} <= set(results), f"{named}: no times")


def check_readers(tare, folder, work):
    """lm_eval's functions on what `tare show --lm-eval` writes: found by name, read, printed as a table."""
    from lm_eval import utils
    subprocess.run([tare, "show", str(folder), "--lm-eval", f"{work}/named"], check=True, stdout=subprocess.DEVNULL)
    (named,) = pathlib.Path(work, "named").iterdir()
    tasks = [path.stem.removeprefix("samples_") for path in folder.glob("samples_*.jsonl")]
    names = [str(path) for path in named.iterdir()]
    (found,) = utils.get_results_filenames(names)
    logged = utils.get_sample_results_filenames(names)
    expect(sorted(utils.get_file_task_name(os.path.basename(name)) for name in logged) == sorted(tasks), "samples by name")
    expect({utils.get_file_datetime(name) for name in logged} == {pathlib.Path(found).stem.removeprefix("results_")}, "times of samples")
    with open(found, encoding="utf-8") as file:
        results = json.load(file)
    expect(named.name == results["model_name_sanitized"], "the folder of the model")
    check_keys(named, pathlib.Path(work, "theirs"), results)
    check_table(utils, tare, folder, results)


def cache():
    default = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "tare"
    return pathlib.Path(os.environ.get("TARE_CACHE_DIR", default))


def models():
    """The same weights in both programs where they are in the cache and lm-eval can load them (it needs
    accelerate); else lm-eval's test double, which answers by chance."""
    found = sorted((cache() / "hf-weights").glob("*/config.json"))
    gguf = cache() / "models" / "smollm2-135m-instruct-f32.gguf"
    ours = f"gguf:{gguf}" if gguf.is_file() else "scripted:zero"
    if not found or importlib.util.find_spec("accelerate") is None:
        return ["--model", "dummy"], ours
    return ["--model", "hf", "--model_args", f"pretrained={found[0].parent},dtype=float32", "--device", "cpu"], ours


def run_both(tare, work):
    theirs, ours = models()
    asked = ["--tasks", "everyday,everyday_cloze", "--limit", "20"]
    subprocess.run([sys.executable, "-m", "lm_eval", "run", *theirs, *asked, "--include_path", str(ROOT / "tasks" / "everyday"),
                    "--log_samples", "--output_path", f"{work}/theirs"], check=True, cwd=ROOT / "tasks" / "everyday",
                   env={**os.environ, "HF_HUB_OFFLINE": "1"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([tare, "run", "--model", ours, *asked, "--output", f"{work}/ours", "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)
    check_readers(tare, pathlib.Path(work, "ours"), work)
    return pathlib.Path(work, "theirs"), pathlib.Path(work, "ours")


def main(tare, *arguments):
    tare = os.path.abspath(tare)
    with tempfile.TemporaryDirectory() as work:
        first, second = run_both(tare, work) if arguments == ("--run",) else map(pathlib.Path, arguments)
        compared = compare(tare, first, second)
    expect(compared > 0, "nothing was compared")
    for problem in problems:
        print(problem)
    print(f"{compared} metrics compared, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
