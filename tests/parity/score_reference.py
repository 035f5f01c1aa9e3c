"""lm-eval, sacrebleu and rouge_score asked the same as tare's score_cat."""

import ast
import json
import logging
import math
import subprocess
import warnings

import numpy
import rouge_score.rouge_scorer
import sacrebleu
from lm_eval.api import metrics
from lm_eval.api.instance import Instance
from lm_eval.filters import build_filter_ensemble

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")
SCORER = rouge_score.rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"])


def filters(steps, responses, documents):
    """The repr of what lm-eval's filters make of a list of lists of answers; None if they raise."""
    instances = []
    for answers, document in zip(ast.literal_eval(responses), documents):
        instance = Instance(request_type="generate_until", doc=document, arguments=(), idx=0)
        instance.resps = answers
        instances.append(instance)
    try:
        build_filter_ensemble("x", [tuple(step) for step in steps]).apply(instances)
    except Exception:  # every class is an outcome
        return None
    return repr([instance.filtered_resps["x"] for instance in instances])


CORPUS = {
    "bleu": metrics.bleu, "chrf": metrics.chrf, "chrf++": metrics.chrfpp, "ter": metrics.ter,
    "bleu_intl": lambda items: sacrebleu.corpus_bleu(
        [item[1] for item in items],
        list(zip(*[item[0] for item in items])), tokenize="intl").score,
}


def corpus(what, items):
    return CORPUS[what](items)


def corpus_stderr(what, items):
    """As lm-eval, in one process."""
    if len(items) < 2:
        return None
    import random
    draw = random.Random(0)
    return metrics.sample_stddev([CORPUS[what](draw.choices(items, k=len(items))) for _ in range(100)])


def rouge(target, prediction):
    made = SCORER.score(target, prediction)
    return [made[name].fmeasure for name in ("rouge1", "rouge2", "rougeL", "rougeLsum")]


def exact_match(prediction, reference, arguments):
    return float(metrics.exact_match_hf_evaluate([prediction], [reference], **arguments)["exact_match"])


def close(a, b):
    if a is None or b is None:
        return a is b
    if isinstance(a, list):
        return len(a) == len(b) and all(map(close, a, b))
    return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)


class Cat:
    """A running score_cat."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def __call__(self, what, **request):
        line = json.dumps({"what": what, **request})
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"score_cat died on {line}")
        return json.loads(answer)
