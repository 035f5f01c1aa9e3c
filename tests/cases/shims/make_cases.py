"""Writes functions.json: helper functions in the manner of lm-eval's, with what CPython makes of them.
Usage: make_cases.py   (datasets is tests/parity's stand-in; needs lm_eval, numpy, sacrebleu, rouge_score, word2number)"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/parity"))
import shims_python  # noqa: E402

CASES = [
    ("equality_filter", "documents", "keep_law", """
from functools import partial

def keep(dataset, subject):
    return dataset.filter(lambda row: row["subject"] == subject)

keep_law = partial(keep, subject="law")
""", [[{"subject": "law", "n": 1}, {"subject": "Law", "n": 2}, {"subject": None, "n": 3}]]),
    ("generated_names", "documents", "keep_art", """
from functools import partial

def keep(ds, subject):
    return ds.filter(lambda row: row["subject"].startswith(subject))

globals().update({f"keep_{name.lower()}": partial(keep, subject=name) for name in ["Art", "Law"]})
""", [[{"subject": "Art"}, {"subject": "Law"}, {"subject": "Arts"}]]),
    ("map_adds_and_overwrites", "documents", "change", """
import re

def clean(text):
    return re.sub(r"\\[.*?\\]", "", text.strip()).replace("  ", " ")

def change(dataset):
    def one(row):
        return {"q": clean(row["q"]), "parts": (row["q"], len(row["q"])) and [clean(p) for p in row["q"].split(",")],
                "gold": int(row["label"])}
    return dataset.map(one, remove_columns=["gone"])
""", [[{"q": " a [x] b,  c", "label": "1", "gone": 0}, {"q": "[y]ü", "label": "0", "gone": 1}]]),
    ("map_mutates_its_row", "documents", "change", """
def change(dataset):
    def one(row):
        row["inner"]["a"] += 1
        row.pop("old")
        row["new"] = 0.5 if row["inner"]["a"] > 1 else 2
        return row
    return dataset.map(one)
""", [[{"old": 1, "inner": {"a": 0}}, {"old": 2, "inner": {"a": 5}}]]),
    ("dicts_share_their_keys", "documents", "change", """
def change(dataset):
    return dataset.map(lambda row: {"d": {row["k"]: 1}})
""", [[{"k": "a"}, {"k": "b"}]]),
    ("shuffled", "documents", "change", """
import random
rng = random.Random(42)

def change(dataset):
    def one(row):
        letters = list(row["text"])
        rng.shuffle(letters)
        return {"text": "".join(letters), "first": random.sample(letters, 2)}
    return dataset.map(one)
""", [[{"text": "abcdefgh"}, {"text": "abcdefgh"}]]),
    ("select_and_rename", "documents", "change", """
def change(dataset):
    half = dataset.select(range(len(dataset) // 2)).rename_column("a", "b")
    return half.rename_columns({"b": "c"}).remove_columns("d")
""", [[{"a": 1, "d": 0}, {"a": 2, "d": 0}, {"a": 3, "d": 0}, {"a": 4, "d": 0}]]),
    ("f_strings", "field", "text", """
def text(doc):
    n = len(doc["options"])
    lines = "\\n".join(f"{chr(65 + i)}. {o!r:>8}|{i + 1:02d}" for i, o in enumerate(doc["options"]))
    return f"{{{doc['q']}}} {n:{'>'}3}\\n{lines}" + f'{3.14159:.2f}' "joined"
""", [{"q": "what?", "options": ["a", "it's"]}]),
    ("loops_and_branches", "field", "text", """
TABLE = {"a": 1, "b": 2}

def text(doc):
    out = []
    for i, (key, value) in enumerate(doc.items()):
        if key not in TABLE:
            continue
        elif value is None:
            break
        out.append((i, key, TABLE.get(key, 0) * value))
    else:
        out += ["end"]
    while len(out) < 3:
        out.append(-1)
    first, *rest = out
    return [first, rest, {**TABLE, "c": [x for x in range(9) if x % 2 if x > 3]}]
""", [{"a": 2, "z": 0, "b": 5}]),
    ("exceptions", "field", "text", """
def text(doc):
    found = []
    for value in doc["values"]:
        try:
            found.append(10 // int(value))
        except (ValueError, TypeError):
            found.append("no number")
        except ZeroDivisionError as error:
            found.append("zero")
    try:
        return doc["absent"]
    except KeyError:
        return found
""", [{"values": ["2", "x", None, 0, 3.9]}]),
    ("closures", "field", "text", """
count = 0

def text(doc):
    total = 0
    def add(n, *more, times=1, **named):
        nonlocal total
        total += (n + sum(more)) * times + len(named)
        return total
    for n in doc["ns"]:
        add(n, 1, times=2, a=0, b=0)
    return [total, (lambda x, y=3: x - y)(1), sorted(doc["ns"], key=lambda n: -n), max(doc["ns"], default=0)]
""", [{"ns": [3, 1, 2]}]),
    ("sets_without_order", "field", "text", """
def text(doc):
    a, b = set(doc["a"]), {"x", "y"}
    return [sorted(a & b), sorted(a | b), len(a - b), "x" in a, list(a & {"q"}), a.isdisjoint(b), a == set(doc["a"])]
""", [{"a": ["x", "q", "x", "z"]}]),
    ("regular_expressions", "field", "text", """
import re
PATTERN = re.compile(r"(\\d+)(?:\\.(\\d+))?", re.IGNORECASE)

def text(doc):
    match = PATTERN.search(doc["t"])
    return [match.group(0), match.group(2), match.groups(), re.findall(r"[a-z]+", doc["t"]),
            re.sub(r"(\\d)", lambda m: str(int(m.group(1)) + 1), doc["t"]), re.split(r"\\W+", doc["t"]),
            [m.group() for m in PATTERN.finditer(doc["t"])], re.match("x", doc["t"]) is None]
""", [{"t": "ab 12.5, cd 7"}]),
    ("libraries", "field", "text", """
import ast, itertools, json, string
from collections import Counter

def text(doc):
    counts = Counter(doc["words"])
    table = str.maketrans("", "", string.punctuation)
    return [counts.most_common(1), counts["absent"], ast.literal_eval(doc["lit"]), json.loads(doc["json"]),
            doc["lit"].translate(table), list(itertools.chain.from_iterable([[1], [2, 3]])), json.dumps({"é": [1.0, None]})]
""", [{"words": ["b", "a", "b"], "lit": "[1, 'x', (2,)]", "json": '{"k": [true, 1e3]}'}]),
    ("named_format", "field", "text", """
PROMPT = "{0}: {name} {1[0]} %"

def text(doc):
    return PROMPT.format(doc["a"], doc["b"], name="n") + "%s-%5.1f" % (doc["a"], 2)
""", [{"a": "é", "b": ["x"]}]),
    ("probability_mass", "results", "score", """
import numpy as np

def score(doc, results):
    ll, _ = zip(*results)
    probs = np.exp(np.array(ll))
    labels = np.array(doc["labels"])
    share = probs / np.sum(probs)
    return {"right": np.sum(share[labels == 1]), "best": int(np.argmax(ll)), "mean": np.mean(ll), "other": share[~(labels == 1)].mean()}
""", [{"labels": [1, 0, 1]}, [(-1.0, True), (-2.5, False), (-0.25, False)]]),
    ("a_metric", "metric", "both", """
def both(references, predictions, scale=1):
    return scale * float(references[0].lower() == predictions[0].lower())
""", [["Yes"], ["yes"], {"scale": 2}]),
    ("an_aggregation", "aggregation", "total", """
def total(items):
    golds, preds = zip(*items)
    return sum(g == p for g, p in zip(golds, preds)) / len(items)
""", [[(1, 1), (0, 1), (2, 2)]]),
    ("a_filter", "filter", "first_word", """
def first_word(resps, docs):
    return [[r.split()[0] if r.split() else doc["fallback"] for r in inner] for inner, doc in zip(resps, docs)]
""", [[["a b"], [" "]], [{"fallback": "x"}, {"fallback": "y"}]]),
    ("samples", "samples", "examples", """
def examples():
    return [{"q": str(i), "a": i} for i in range(2)]
""", []),
    ("classes_derive", "field", "text", """
class Base:
    kind = "base"

    def __init__(self, word, times=1):
        self.word, self.times = word, times

    def say(self):
        return self.kind + ":" + self.word * self.times

class Derived(Base):
    kind = "derived"

    def __init__(self, *args, mark="", **kwargs):
        super().__init__(*args, **kwargs)
        self.mark = mark

    def say(self):
        return super().say() + self.mark

class Plain(Derived):
    pass

def text(doc):
    return [Base("a").say(), Derived(doc["w"], times=2, mark="!").say(), Plain("p").say(), Plain.kind]
""", [{"w": "x"}]),
    ("a_filter_that_is_a_class", "filter", "Sorted", """
from lm_eval.filters.extraction import RegexFilter

class Sorted(RegexFilter):
    def __init__(self, regex_pattern="[a-z]+", reverse=False):
        super().__init__(regex_pattern, fallback="none")
        self.reverse = reverse

    def apply(self, resps, docs):
        return [[" ".join(sorted(self.regex.findall(r), reverse=self.reverse)) or self.fallback for r in inner]
                for inner, doc in zip(resps, docs)]
""", [[["b a1", "2"], ["c d"]], [{}, {}], {"reverse": True}]),
    ("a_set_in_any_order", "field", "only", """
def only(doc):
    found = None
    for word in set(doc["words"]):
        if word.startswith("t"):
            found = word
            break
    return [found, sorted(set(doc["words"]), key=lambda w: w[::-1])]
""", [{"words": ["one", "two", "four", "two"]}]),
    ("bleu_and_rouge", "results", "score", """
import sacrebleu
from rouge_score import rouge_scorer, scoring

SCORER = None

def score(doc, results):
    global SCORER
    if SCORER is None:
        SCORER = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeLsum"])
    aggregator = scoring.BootstrapAggregator()
    aggregator.add_scores(SCORER.score(doc["ref"], results[0]))
    rouge = aggregator.aggregate()
    bleu = sacrebleu.corpus_bleu(results, [[doc["ref"]]], smooth_method="exp", tokenize="intl", use_effective_order=False)
    return {"bleu": bleu.score, **{name: rouge[name].mid.fmeasure * 100 for name in ["rouge1", "rouge2", "rougeLsum"]}}
""", [{"ref": "The cat sat on the mat.\nIt slept."}, ["the cat sat, on a mat"]]),
    ("numbers_in_words", "field", "numbers", """
from word2number import w2n

def numbers(doc):
    return [w2n.word_to_num(text) for text in doc["texts"]]
""", [{"texts": ["two thousand three hundred and five", "Forty-two", "one billion", "three point one four", "seventeen hundred"]}]),
    ("punctuation_is_dropped", "field", "clean", """
import sys
import unicodedata

class Cleaner:
    table = dict.fromkeys(i for i in range(0x3000) if unicodedata.category(chr(i)).startswith("P"))

    def clean(self, text):
        return text.translate(self.table)

def clean(doc):
    return [Cleaner().clean(doc["t"]), sys.maxunicode]
""", [{"t": "a,b.\u2026«c» $1"}]),
    ("a_function_that_raises", "field", "text", """
def text(doc):
    raise ValueError(f"no {doc['a']}")
""", [{"a": 1}]),
]


def main():
    folder = Path(__file__).parent
    python = shims_python.Python(folder)
    cases = []
    for name, use, function, source, arguments in CASES:
        file = folder / "made_helper.py"
        file.write_text(source, encoding="utf-8")
        value, error = python.call(file, function, use, arguments)
        file.unlink()
        python.modules.clear()
        expected = repr(shims_python.plain(value))
        if error:
            expected = f"error: !function helper.{function}, line 3: {error}"
        cases.append({"name": name, "source": "CPython 3.11, numpy", "use": use, "function": function,
                      "source_code": source, "arguments": shims_python.literal(arguments), "expected": expected})
    text = json.dumps({"cases": cases}, ensure_ascii=False, indent=1)
    (folder / "functions.json").write_text(text + "\n", encoding="utf-8")


main()
