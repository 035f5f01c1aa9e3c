"""Runs tare on the float32 model and compares every item with lm-eval's own values.

Usage: golden.py TARE. Needs ../shared/golden and ../shared/hub beside the project, the F32 file of the
demo model, and lm-eval's task folder (TARE_LM_EVAL); says what is missing and skips otherwise.
The bound is 2e-3 nats for each log-likelihood: two float32 implementations of one model differ in the
last bits of each sum, and that is what such differences add up to over a prompt; the sum over a whole text
may differ by 5e-6 of itself, since lm-eval sums in float32. Greedy answers must be equal letter for letter on at least 95 % of the items
of a task: one token whose two best candidates are a near tie changes all that follows.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
TASKS = ["arc_easy-0shot", "piqa-0shot", "truthfulqa_mc1-0shot", "lambada_openai-0shot",
         "mmlu_astronomy-5shot", "hellaswag-0shot", "wikitext-0shot", "gsm8k-5shot", "triviaqa-5shot"]
BOUND = 2e-3
EQUAL_ANSWERS = 0.95
CONTINUOUS = {"perplexity", "perplexity_stderr", "word_perplexity", "byte_perplexity", "bits_per_byte"}


def cache_dir():
    default = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "tare"
    return pathlib.Path(os.environ.get("TARE_CACHE_DIR", default))


def missing():
    model = cache_dir() / "models" / "smollm2-135m-instruct-f32.gguf"
    tasks = os.environ.get("TARE_LM_EVAL", "")
    if os.environ.get("TARE_SHARED") == "none" or not (SHARED / "golden").is_dir():
        return "../shared/golden (lm-eval's values) is not there", None, None
    if not model.is_file():
        return f"{model.name} is not there (tools/make_models.sh makes it)", None, None
    if not os.path.isdir(tasks):
        return "TARE_LM_EVAL does not name lm-eval's task folder (tools/fetch.sh lm-eval)", None, None
    return None, model, tasks


def read_golden(name):
    lines = [json.loads(line) for line in open(SHARED / "golden" / f"{name}.jsonl")]
    return lines[0], [line for line in lines[1:] if line["kind"] == "item"]


def run(tare, model, tasks, header, output):
    command = [tare, "run", "--cache", "off", "--model", f"gguf:{model}", "--tasks", header["task"],
               "--include-path", tasks, "--datasets", str(SHARED / "hub"), "--quiet",
               "--num-fewshot", str(header["num_fewshot"]), "--limit", str(header["limit"]),
               "--output", output]
    subprocess.run(command, check=True)
    results = json.load(open(f"{output}/results.json"))
    samples = [json.loads(line) for line in open(f"{output}/samples_{header['task']}.jsonl")]
    return results, samples


def argmax(values):
    return max(range(len(values)), key=lambda i: values[i])


def margin(values):
    best = sorted(values, reverse=True)
    return best[0] - best[1] if len(best) > 1 else float("inf")


class Comparison:
    def __init__(self):
        self.faults = []
        self.largest = 0.0
        self.items = self.requests = self.near_ties = self.greedy_differences = 0
        self.answers = self.other_answers = 0

    def fault(self, where, text):
        self.faults.append(f"{where}: {text}")

    def item(self, ours, theirs):
        where = f"doc {theirs['doc_id']}"
        self.items += 1
        for key in ("doc_id", "doc_hash", "prompt_hash", "target_hash", "target"):
            if ours[key] != theirs[key]:
                self.fault(where, f"{key}: {ours[key]} against {theirs[key]}")
        if len(ours["resps"]) != len(theirs["resps"]):
            return self.fault(where, f"{len(ours['resps'])} responses against {len(theirs['resps'])}")
        if ours.get("filter") != theirs.get("filter"):
            return self.fault(where, f"filter {ours.get('filter')} against {theirs.get('filter')}")
        if isinstance(theirs["resps"][0][0], str):
            return self.text(where, ours, theirs)
        a = [float(r[0][0]) for r in ours["resps"]]
        b = [float(r[0][0]) for r in theirs["resps"]]
        self.requests += len(a)
        self.largest = max([self.largest] + [abs(x - y) for x, y in zip(a, b)])
        self.greedy_differences += sum(x[0][1] != y[0][1] for x, y in zip(ours["resps"], theirs["resps"]))
        if argmax(a) != argmax(b):
            if margin(b) > BOUND:
                self.fault(where, f"argmax {argmax(a)} against {argmax(b)}, margin {margin(b)}")
            else:
                self.near_ties += 1

    def text(self, where, ours, theirs):
        """One answer: generated, or the sum over a whole text."""
        a, b = ours["resps"][0][0], theirs["resps"][0][0]
        if ours["tare"]["responses"][0].get("log_likelihood") is not None:
            self.requests += 1
            difference = abs(float(a) - float(b))
            self.largest = max(self.largest, difference)
            if difference > max(BOUND, 5e-6 * abs(float(b))):
                self.fault(where, f"{a} against {b}")
            return
        self.answers += 1
        if a != b:
            self.other_answers += 1
            print(f"  {where}: another answer: {a!r} against {b!r}")
        elif ours["filtered_resps"] != theirs["filtered"]:
            self.fault(where, f"filtered {ours['filtered_resps']} against {theirs['filtered']}")

    def aggregates(self, ours, theirs, continuous):
        for key, value in theirs.items():
            bound = 1e-2 * abs(value) if key.split(",")[0] in continuous else 1e-12
            if isinstance(value, float) and abs(ours[key] - value) > bound:
                self.fault(key, f"{ours[key]} against {value}")


def compare(tare, model, tasks, name):
    header, items = read_golden(name)
    with tempfile.TemporaryDirectory() as folder:
        results, samples = run(tare, model, tasks, header, folder + "/run")
    comparison = Comparison()
    if len(samples) != len(items):
        comparison.fault(name, f"{len(samples)} items against {len(items)}")
    for ours, theirs in zip(samples, items):
        comparison.item(ours, theirs)
    task = header["task"]
    if results["task_hashes"][task] != header["task_hashes"][task]:
        comparison.fault(name, "task hashes differ")
    if comparison.near_ties == 0 and comparison.other_answers == 0:
        comparison.aggregates(results["results"][task], header["results"][task], CONTINUOUS)
    if comparison.other_answers > (1 - EQUAL_ANSWERS) * comparison.answers:
        comparison.fault(name, f"{comparison.other_answers} of {comparison.answers} answers differ")
    if comparison.largest > BOUND and not name.startswith("wikitext"):
        comparison.fault(name, f"largest difference {comparison.largest:.2e} nats, allowed {BOUND}")
    if comparison.greedy_differences:
        comparison.fault(name, f"{comparison.greedy_differences} greedy flags differ")
    print(f"{name}: {comparison.items} items, {comparison.requests} log-likelihoods, largest difference "
          f"{comparison.largest:.2e} nats, {comparison.near_ties} near ties; {comparison.answers} answers, "
          f"{comparison.other_answers} of them other")
    for fault in comparison.faults[:10]:
        print("  " + fault)
    return not comparison.faults


def main():
    reason, model, tasks = missing()
    if reason:
        print(f"SKIPPED: golden values: {reason}")
        print(f"0 passed, 0 failed, {len(TASKS)} skipped")
        return 0
    passed = sum(compare(sys.argv[1], model, tasks, name) for name in TASKS)
    print(f"{passed} passed, {len(TASKS) - passed} failed, 0 skipped")
    return 0 if passed == len(TASKS) else 1


sys.exit(main())
