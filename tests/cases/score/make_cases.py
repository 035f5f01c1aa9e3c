"""Writes tasks.json: answers to small made-up tasks, and what lm-eval makes of them.

lm-eval's own process_results and aggregation run on tasks whose documents are given directly.
Needs CPython 3.11 and lm_eval 0.4.13 with scikit-learn:
    DISABLE_MULTIPROC=1 python tests/cases/score/make_cases.py
"""
import json
import math
import pathlib
import random
import types

from lm_eval.api.registry import get_aggregation, get_metric_aggregation
from lm_eval.api.task import ConfigurableTask
from lm_eval.evaluator_utils import _compute_task_aggregations

SOURCE = "lm-eval 0.4.13 ConfigurableTask.process_results and _compute_task_aggregations"
WORDS = ["yes", "no", "été", "日本語", "a longer choice of words", "x", "ß≠ss", "🙂 smile", "no "]


def lm_eval_task(case):
    task = object.__new__(ConfigurableTask)
    task.OUTPUT_TYPE = case["output_type"]
    task._config = types.SimpleNamespace(process_results=None, task=case["name"])
    task.multiple_input = case.get("multiple_input", False)
    first = case["documents"][0].get("target")
    task.multiple_target = len(first) if isinstance(first, list) else 0
    task.doc_to_choice = lambda doc: doc["choices"]
    task.doc_to_target = lambda doc: doc["target"]
    task.doc_to_text = lambda doc: doc["choice"]
    task._metric_fn_list = {m["name"]: None for m in case["metrics"]}
    task._aggregation_list = {
        m["name"]: get_aggregation(m["aggregation"]) if "aggregation" in m else get_metric_aggregation(m["name"])
        for m in case["metrics"]}
    return task


def plain(value):
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value.item() if hasattr(value, "item") else value


def answered(case, stderr=True):
    task = lm_eval_task(case)
    raw = {}
    case["expected_documents"] = []
    for doc in case["documents"]:
        results = [tuple(answer) for answer in doc["answers"]]
        values = task.process_results(doc, results)
        case["expected_documents"].append({name: plain(value) for name, value in values.items()})
        for name, value in values.items():
            raw.setdefault((name, "none"), []).append(value)
    found, _ = _compute_task_aggregations(task, raw, 100000 if stderr else 0)
    case["expected_estimates"] = [
        {"metric": name, "value": plain(found[f"{name},none"]),
         **({"stderr": plain(found[f"{name}_stderr,none"])} if stderr else {})} for name, _ in raw]
    case["source"] = SOURCE
    return case


def choice_task(name, seed, metrics, target, documents=8, multiple_input=False, unconditional=False, answer=None):
    source = random.Random(seed)
    case = {"name": name, "output_type": "multiple_choice", "multiple_input": multiple_input,
            "metrics": [m if isinstance(m, dict) else {"name": m} for m in metrics], "documents": []}
    for _ in range(documents):
        k = source.randint(2, 5)
        choices = source.sample(WORDS, k)
        answers = [[answer(source) if answer else source.choice([-1, -1, -7]) * source.random() * 9,
                    source.random() < 0.4] for _ in range(k * (2 if unconditional else 1))]
        doc = {"choices": choices, "target": target(source, choices), "answers": answers}
        if multiple_input:
            doc["choice"] = source.randrange(k)
        case["documents"].append(doc)
    return case


def index(source, choices):
    return source.randrange(len(choices))


def binary(name, seed, metric, stderr):
    """Two choices always, so that F1 is defined."""
    source = random.Random(seed)
    documents = [{"choices": ["no", "yes"], "target": source.randrange(2),
                  "answers": [[-source.random(), False], [-source.random(), False]]} for _ in range(12)]
    case = {"name": name, "output_type": "multiple_choice", "metrics": [{"name": metric}, {"name": "acc"}],
            "documents": documents}
    return answered(case, stderr)


def language_task(name, values, metrics=("perplexity", "acc")):
    documents = [{"target": " word", "answers": [[value, greedy]]} for value, greedy in values]
    return {"name": name, "output_type": "loglikelihood", "documents": documents,
            "metrics": [m if isinstance(m, dict) else {"name": m} for m in metrics]}


ALL = ["acc_bytes", "exact_match", "acc_norm", "acc"]


def cases():
    yield answered(choice_task("index targets", 1, ALL, index, 40))
    yield answered(choice_task("one document", 2, ALL, index, 1))
    yield answered(choice_task("text targets", 3, ALL, lambda s, c: s.choice(c + ["not there"]), 20))
    yield answered(choice_task("list targets", 4, ALL, lambda s, c: s.sample(range(len(c) + 2), 2), 20))
    yield answered(choice_task("empty list targets", 5, ALL, lambda s, c: s.choice([[], [0]]) if s.random() < .5 else [1], 10))
    yield answered(choice_task("indices out of range", 6, ALL, lambda s, c: s.choice([0, 1, len(c), 99]), 20))
    yield answered(choice_task("negative indices", 7, ALL, lambda s, c: s.choice([-1, -2, 0, 1]), 20))
    yield answered(choice_task("true and false as indices", 8, ALL, lambda s, c: s.random() < 0.5, 10))
    yield answered(choice_task("ties", 9, ALL, index, 30, answer=lambda s: s.choice([-1.0, -2.0])))
    yield answered(choice_task("infinite", 10, ALL, index, 20, answer=lambda s: s.choice([-math.inf, -1.0, -3.5])))
    yield answered(choice_task("not a number", 11, ALL, index, 20, answer=lambda s: s.choice([math.nan, -1.0, -3.5, -9.0])))
    yield answered(choice_task("multiple input", 12, ALL, lambda s, c: "the same continuation", 20, multiple_input=True))
    yield answered(choice_task("mutual information", 13, ["acc_mutual_info", "acc", "exact_match"], index, 20, unconditional=True))
    yield answered(choice_task("other aggregations", 14, [
        {"name": "acc", "aggregation": "nanmean"}, {"name": "acc_norm", "aggregation": "median"},
        {"name": "exact_match", "aggregation": "perplexity"}], index, 9))
    yield binary("f1 without error", 15, "f1", False)
    yield binary("mcc without error", 16, "mcc", False)
    source = random.Random(17)
    yield answered(language_task("language", [(-9 * source.random(), source.random() < 0.3) for _ in range(25)]))
    yield answered(language_task("language, one document", [(-2.5, True)]))
    yield answered(language_task("language, infinite", [(-math.inf, False), (-1.0, True), (-2.0, False)], ["acc", "perplexity"]))
    yield answered(language_task("language, not a number", [(math.nan, False), (-1.0, True), (-2.0, False)]))
    yield answered(language_task("accuracy alone", [(-1.0, True), (-2.0, False)], ["acc"]))


if __name__ == "__main__":
    lines = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in cases())
    (pathlib.Path(__file__).parent / "tasks.json").write_text("[\n" + lines + "\n]\n", encoding="utf-8")
