"""Writes estimates.json, documents.json and bootstrap.json: what CPython, numpy, scipy, scikit-learn and lm-eval
give for the statistics of src/stats.

Needs CPython 3.11 (its sum() adds left to right) with numpy, scipy, scikit-learn and lm_eval 0.4.13:
    DISABLE_MULTIPROC=1 python tests/cases/stats/make_cases.py
"""
import json
import math
import pathlib
import random
import sys

import numpy
import scipy
import scipy.stats
import sklearn
import sklearn.metrics
from lm_eval.api import metrics as lm_eval

FOLDER = pathlib.Path(__file__).parent
PYTHON = "CPython " + sys.version.split()[0]
NUMPY = "numpy " + numpy.__version__
SCIPY = "scipy " + scipy.__version__
SKLEARN = "scikit-learn " + sklearn.__version__
LM_EVAL = "lm-eval 0.4.13"

def gaussian(seed, n):
    source = random.Random(seed)
    return [source.gauss(-3, 2) for _ in range(n)]


SAMPLES = {
    "two": [0.5, -2.25],
    "zeros-and-ones": [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0],
    "constant": [0.1] * 10,
    "order-matters": [1e16, 1.0, -1e16, 1.0, 3.0],
    "log-likelihoods": [-23.54340934753418, -34.063053131103516, -5.028355598449707, -0.25],
    "long": gaussian(7, 200),
    "infinite": [-1.0, -math.inf, -2.0],
    "with-nan": [-1.0, math.nan, -2.5],
}

LABELS = {
    "binary": [[1, 1], [0, 1], [1, 0], [0, 0], [1, 1]],
    "never-positive": [[0, 0], [0, 0]],
    "always-wrong": [[0, 1], [1, 0], [0, 1]],
    "perfect": [[0, 0], [1, 1], [1, 1]],
    "one-label-only": [[1, 1], [1, 1]],
    "three-classes": [[0, 0], [1, 2], [2, 2], [0, 1], [1, 1], [2, 0]],
    "no-label-one": [[0, 2], [2, 2], [0, 0]],
    "out-of-range-gold": [[-100, 0], [1, 1], [0, 0]],
}


def attempt(function, *arguments):
    try:
        return float(function(*arguments))
    except ValueError:
        return None


def estimates():
    functions = [
        ("mean", lambda x: sum(x) / len(x), 0, PYTHON),
        ("nan_mean", lm_eval.nanmean, 1e-14, NUMPY + " nanmean"),
        ("perplexity", lm_eval.perplexity, 0, LM_EVAL),
        ("sample_stddev", lm_eval.sample_stddev, 0, LM_EVAL),
        ("sample_stddev", lambda x: numpy.std(x, ddof=1), 1e-12, NUMPY + " std(ddof=1)"),
        ("mean_stderr", lm_eval.mean_stderr, 0, LM_EVAL),
        ("mean_stderr", scipy.stats.sem, 1e-12, SCIPY + " stats.sem"),
    ]
    for function, call, tolerance, source in functions:
        for name, x in SAMPLES.items():
            yield {"name": f"{function}/{name}", "function": function, "x": x,
                   "expected": attempt(call, x), "tolerance": tolerance, "source": source}
    for name, x in SAMPLES.items():
        if name != "with-nan":  # sorted() has no defined order with NaN
            yield {"name": f"median/{name}", "function": "median", "x": x,
                   "expected": lm_eval.median(x), "tolerance": 0, "source": LM_EVAL}


def classifications():
    for name, items in LABELS.items():
        gold, predicted = zip(*items)
        yield {"name": f"f1/{name}", "function": "binary_f1", "items": items,
               "expected": attempt(sklearn.metrics.f1_score, gold, predicted),
               "tolerance": 0, "source": SKLEARN + " f1_score"}
        yield {"name": f"mcc/{name}", "function": "matthews_correlation", "items": items,
               "expected": attempt(sklearn.metrics.matthews_corrcoef, gold, predicted),
               "tolerance": 1e-15, "source": SKLEARN + " matthews_corrcoef"}


WEIGHTED = {
    "two": [(-10.5, 4), (-3.25, 2)],
    "one": [(-1.0, 3)],
    "uneven": [(-1e3, 1000), (-0.001, 1), (-7.25, 3)],
    "long": [(value, 1 + number % 7) for number, value in enumerate(gaussian(11, 100))],
}


def probabilities(seed, n, classes):
    source = random.Random(seed)
    for _ in range(n):
        raw = [source.random() for _ in range(classes)]
        yield [source.randrange(classes), [value / sum(raw) for value in raw]]


BRIER = {
    "sure-and-right": [[0, [1.0, 0.0]], [1, [0.0, 1.0]]],
    "sure-and-wrong": [[0, [0.0, 1.0]]],
    "even": [[2, [0.25] * 4]] * 3,
    "from-the-end": [[-1, [0.2, 0.3, 0.5]]],
    "no-such-class": [[2, [0.5, 0.5]]],
    "before-the-first": [[-100, [0.5, 0.5]]],
    "unequal": [[0, [0.5, 0.5]], [0, [0.2, 0.3, 0.5]]],
    "drawn": list(probabilities(5, 50, 4)),
    "many-classes": list(probabilities(6, 30, 12)),
}

# paragraph, question, label, predicted
ANSWERS = {
    "all-right": [(0, 0, 1, True), (0, 0, 0, False), (0, 1, 1, True)],
    "one-wrong": [(0, 0, 1, True), (0, 0, 0, True), (0, 1, 1, True)],
    "same-number-elsewhere": [(0, 0, 1, True), (1, 0, 1, False), (1, 1, 0, False), (2, 5, 1, True)],
    "drawn": [(n // 9, n // 3 % 3, n % 2, (n * 7 % 5) < 3) for n in range(90)],
}


def of_documents():
    weighted = {"weighted_mean": lm_eval.weighted_mean, "weighted_perplexity": lm_eval.weighted_perplexity,
                "bits_per_byte": lm_eval.bits_per_byte}
    for function, call in weighted.items():
        for name, items in WEIGHTED.items():
            yield {"name": f"{function}/{name}", "function": function, "items": items,
                   "expected": call(items), "tolerance": 0, "source": LM_EVAL}
    for name, items in BRIER.items():
        try:
            expected = float(lm_eval.brier_score(items))
        except (ValueError, IndexError):
            expected = math.nan
        yield {"name": f"brier_score/{name}", "function": "brier_score", "items": items,
               "expected": expected, "tolerance": 1e-14, "source": LM_EVAL + ", " + NUMPY}
    for name, answers in ANSWERS.items():
        items = [(predicted, {"idx": {"paragraph": paragraph, "question": question}, "label": label})
                 for paragraph, question, label, predicted in answers]
        for function, call in (("all_right", lm_eval.acc_all), ("all_right_stderr", lm_eval.acc_all_stderr)):
            yield {"name": f"{function}/{name}", "function": function, "items": answers,
                   "expected": float(call(items)), "tolerance": 1e-15, "source": LM_EVAL}


def drawn(seed, n):
    """What the test draws by itself, so that the file need not hold it."""
    source = random.Random(seed)
    return [-5 * source.random() for _ in range(n)]


def bootstraps():
    cases = [("perplexity", 3, 100, 100), ("perplexity", 4, 1000, 1000), ("perplexity", 5, 37, 2500),
             ("mean", 6, 2, 999), ("median", 7, 101, 1000), ("nan_mean", 8, 50, 3000)]
    functions = {"nan_mean": lm_eval.nanmean}
    for function, seed, n, iterations in cases:
        call = functions.get(function) or getattr(lm_eval, function)
        yield {"name": f"{function}/{n}x{iterations}", "function": function, "seed": seed, "n": n,
               "iterations": iterations,
               "expected": float(lm_eval.bootstrap_stderr(call, drawn(seed, n), iterations)),
               "tolerance": 1e-13 if function == "nan_mean" else 0, "source": LM_EVAL}
    x = [-1, -2, -3, -0.5]
    for iterations in (100, 2500, 100000):
        yield {"name": f"perplexity/4x{iterations}", "function": "perplexity", "x": x,
               "iterations": iterations,
               "expected": lm_eval.bootstrap_stderr(lm_eval.perplexity, x, iterations),
               "tolerance": 0, "source": LM_EVAL}
    items = LABELS["binary"] * 6
    for function, call in (("binary_f1", lm_eval.f1_score),
                           ("matthews_correlation", lm_eval.matthews_corrcoef)):
        yield {"name": f"{function}/30x100", "function": function, "items": items, "iterations": 100,
               "expected": float(lm_eval.bootstrap_stderr(call, items, 100)),
               "tolerance": 1e-15, "source": LM_EVAL}


def write(name, cases):
    lines = ",\n".join("  " + json.dumps(case) for case in cases)
    (FOLDER / name).write_text("[\n" + lines + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    write("estimates.json", [*estimates(), *classifications()])
    write("documents.json", list(of_documents()))
    write("bootstrap.json", list(bootstraps()))
