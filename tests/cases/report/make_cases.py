"""Writes tables.json: results and the table that lm-eval prints of them.

Needs lm_eval 0.4.13 and pytablewriter:
    python tests/cases/report/make_cases.py
"""
import importlib.metadata
import json
import math
import pathlib
import random

from lm_eval.utils import make_table

SOURCE = "lm-eval 0.4.13 utils.make_table, pytablewriter " + importlib.metadata.version("pytablewriter")


def task(name, metrics, version=1.0, shots=0, alias=None):
    """metrics: (name, value, standard error or None, higher is better)"""
    return {"name": name, "alias": alias or name, "version": version, "num_fewshot": shots,
            "metrics": [dict(zip(("metric", "value", "stderr", "higher_is_better"), m)) for m in metrics]}


def as_lm_eval(tasks):
    results = {key: {} for key in ("results", "versions", "n-shot", "higher_is_better")}
    results["group_subtasks"] = {}
    for t in tasks:
        row = {"name": t["name"], "alias": t["alias"], "sample_len": 10}
        for m in t["metrics"]:
            row[m["metric"] + ",none"] = m["value"]
            row[m["metric"] + "_stderr,none"] = "N/A" if m["stderr"] is None else m["stderr"]
        results["results"][t["name"]] = row
        results["versions"][t["name"]] = t["version"]
        results["n-shot"][t["name"]] = t["num_fewshot"]
        results["higher_is_better"][t["name"]] = {m["metric"]: m["higher_is_better"] for m in t["metrics"]}
    return results


ACC = ("acc", 0.49, 0.05024183937956912, True)
NORM = ("acc_norm", 0.43, 0.04975698519562428, True)
PPL = ("perplexity", 62.224300260770164, 17.541909456275018, False)
NAMED = {
    "one task": [task("arc_easy", [ACC, NORM])],
    "sorted by name, metrics by name": [task("piqa", [NORM, ACC]), task("arc_easy", [ACC])],
    "alias, shots of two digits": [task("mmlu_astronomy", [ACC], alias="astronomy", shots=25), task("b", [ACC])],
    "lower is better": [task("lambada_openai", [PPL, ("acc", 0.3, 0.046056618647183814, True)])],
    "no standard error": [task("a", [("acc", 0.5, None, True)])],
    "with and without standard error": [task("a", [ACC]), task("b", [("acc", 0.5, None, True)])],
    "integers": [task("a", [("acc", 1.0, 0.0, True)]), task("b", [("acc", 0.0, 0.0, True)])],
    "integers and fractions": [task("a", [("acc", 1.0, 0.0, True)]), task("b", [("acc", 0.25, 0.5, True)])],
    "NaN": [task("a", [("acc", math.nan, None, True)])],
    "NaN among numbers": [task("a", [("acc", math.nan, math.nan, True)]), task("b", [ACC])],
    "infinite": [task("a", [("perplexity", math.inf, math.nan, False)])],
    "infinite both ways": [task("a", [("perplexity", math.inf, -math.inf, False), ACC])],
    "NaN and infinite alone": [task("a", [("x", math.nan, 1.5, False), ("y", math.inf, 2.5, True)])],
    "huge": [task("a", [("perplexity", 123456789012345.6789, 1e22, False), ACC])],
    "negative": [task("a", [("x", -1.5, 0.25, True), ("y", -0.00001, 0.00001, False)])],
    "version texts": [task("a", [ACC], version="Yaml"), task("b", [ACC], version=2.5)],
    "version numbers": [task("a", [ACC], version=10), task("b", [ACC], version=2.5), task("c", [ACC], version="3")],
    "version missing": [task("a", [ACC], version=None)],
    "version dotted": [task("a", [ACC], version="1.0.1")],
    "version whole": [task("a", [ACC], version=2.0), task("b", [ACC], version=0)],
    "wide letters": [task("a", [ACC], alias="日本語"), task("b", [ACC], alias="été"), task("c", [ACC], alias="ｆｕｌｌ")],
    "narrow and ambiguous letters": [task("a", [ACC], alias="α±…"), task("b", [ACC], alias="e\u0301")],
    "bar in the name": [task("a", [ACC], alias="x|y"), task("b", [ACC], alias="longer name")],
    "name is a number": [task("1", [ACC]), task("2", [ACC])],
    "names and numbers": [task("7", [ACC]), task("a", [ACC])],
    "short names": [task("a", [("x", 0.5, 0.5, True)])],
    "indented alias": [task("a", [ACC], alias=" - a"), task("b", [ACC])],
    "nothing": [],
}


def random_tasks(seed):
    source = random.Random(seed)
    tasks = []
    for i in range(source.randint(1, 4)):
        metrics = []
        for name in source.sample(["acc", "acc_norm", "perplexity", "f1", "exact_match"], source.randint(1, 3)):
            scale = source.choice([1, 1, 1, 10, 1000])
            n = source.choice([2, 4, 10, 100, 97])
            stderr = source.choice([None, source.random(), source.random() * scale, 0.0])
            metrics.append((name, source.randint(0, n) / n * scale, stderr, source.random() < 0.7))
        tasks.append(task("t" * source.randint(1, 9) + str(i), metrics, source.choice(["Yaml", "Yaml", 1, 1.0, 2.5, 0, "3", None]),
                          source.choice([0, 5, 25])))
    return tasks


def cases():
    named = [*NAMED.items(), *((f"random {seed}", random_tasks(seed)) for seed in range(60))]
    for name, tasks in named:
        yield {"name": name, "tasks": tasks, "table": make_table(as_lm_eval(tasks)), "source": SOURCE}


if __name__ == "__main__":
    lines = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in cases())
    (pathlib.Path(__file__).parent / "tables.json").write_text("[\n" + lines + "\n]\n", encoding="utf-8")
