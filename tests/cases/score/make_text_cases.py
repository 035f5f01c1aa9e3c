"""Writes filters.json, translations.json, exact_match.json and rouge.json: what lm-eval, sacrebleu and
rouge_score make of answers.

Needs CPython 3.11 with lm_eval 0.4.13, sacrebleu 2.6 and rouge_score 0.1.2:
    python tests/cases/score/make_text_cases.py
"""

import importlib.metadata
import json
import pathlib
import random
import sys

FOLDER = pathlib.Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent.parent / "parity"))
import filters_fuzz  # noqa: E402
import translation_fuzz  # noqa: E402
from score_reference import corpus, corpus_stderr, exact_match, filters, rouge  # noqa: E402

FIRST = ["take_first", {}]
DEFAULT = r"#### (\-?[0-9\.\,]+)"
LETTERS = {"choices": ["Guilty", "Guilty of Romance", "neither, nor"]}
FILTERS = [
    ("the first answer", [FIRST], [["a", "b"], [" c "]], {}),
    ("a log-likelihood", [FIRST], [[(-1.5, True)], [(-2.0, False)]], {}),
    ("the first character after the first answer", [FIRST, FIRST], [["ab"], ["日x"]], {}),
    ("no first character", [FIRST, FIRST], [[""]], {}),
    ("the first k", [["take_first_k", {"k": 2}]], [["a", "b", "c"]], {}),
    ("the first k of a text", [FIRST, ["take_first_k", {"k": 2}]], [["日本語"]], {}),
    ("fewer than k, later", [["take_first_k", {"k": 2}]], [["a", "b"], ["c"]], {}),
    ("fewer than k", [["take_first_k", {"k": 3}]], [["a", "b"]], {}),
    ("the majority", [["majority_vote", {}], FIRST], [["b", "a", "a", "b", "c"], ["x"]], {}),
    ("the majority of characters", [FIRST, ["majority_vote", {}]], [["abb"]], {}),
    ("a majority of 1 and 1.0", [["map", {"mapping_dict": {"a": 1, "b": 1.0}}], ["majority_vote", {}]], [["c", "b", "a"]], {}),
    ("the default pattern", [["regex", {}], FIRST], [["so #### 12.\n#### 13"], ["12"], [""]], {}),
    ("the last match", [["regex", {"regex_pattern": "[0-9]+", "group_select": -1}], FIRST], [["1 22 333"]], {}),
    ("no such match", [["regex", {"regex_pattern": "[0-9]+", "group_select": 2}], FIRST], [["1 22"]], {}),
    ("no such match from the end", [["regex", {"regex_pattern": "[0-9]+", "group_select": -2}], FIRST], [["1"]], {}),
    ("the first group that is not empty", [["regex", {"regex_pattern": "(x)?([a-c]+)?(d)?"}], FIRST], [["abd"], ["q"]], {}),
    ("an empty group", [["regex", {"regex_pattern": "a(b?)"}], FIRST], [["ac"]], {}),
    ("a fallback, stripped when all groups are empty", [["regex", {"regex_pattern": "(a)?(b)?", "fallback": " no "}], FIRST],
     [["q"], [""]], {}),
    ("a fallback, as it is when there is no match", [["regex", {"regex_pattern": "(a)(b)", "fallback": " no "}], FIRST],
     [["q"]], {}),
    ("a fallback of None", [["regex", {"regex_pattern": "(a)", "fallback": None}], FIRST], [["q"]], {}),
    ("a pattern on a log-likelihood", [["regex", {"regex_pattern": "$"}], FIRST], [[(-1.5, True)]], {}),
    ("a pattern on a text gives its characters", [FIRST, ["regex", {"regex_pattern": "[ab]"}]], [["abc"]], {}),
    ("white space", [["remove_whitespace", {}], FIRST], [["\u3000 a b\x1c\n"], ["\u200b"]], {}),
    ("lower case", [["lowercase", {}], FIRST], [["ΑΣ İ ẞ"], ["ABC"]], {}),
    ("lower case of characters", [FIRST, ["lowercase", {}]], [["ΑΣ"]], {}),
    ("upper case", [["uppercase", {}], FIRST], [["straße ŉ ﬁ"]], {}),
    ("lower case of a log-likelihood", [["lowercase", {}]], [[(-1.5, True)]], {}),
    ("a map of characters", [FIRST, ["map", {"mapping_dict": {"A": 0, "B": 1}}]], [["A"], ["AB"], [""]], {}),
    ("a map of answers", [["map", {"mapping_dict": {"yes": 1}, "default_value": -1}], FIRST], [["yes"], ["no"]], {}),
    ("a map without a dict", [["map", {}], FIRST], [["a"]], {}),
    ("a map of lists", [["regex_pos", {}], ["map", {"mapping_dict": {}}]], [["x"]], {}),
    ("a choice by the pattern", [["multi_choice_regex", {"regex_pattern": r"(\([A-Z]\))"}], FIRST], [["is (B) or (A)"]], LETTERS),
    ("a choice by its text", [["multi_choice_regex", {"regex_pattern": r"(\([A-Z]\))", "ignore_case": True}], FIRST],
     [["it is guilty of romance."], ["guilty of all"]], LETTERS),
    ("a choice by its text without punctuation",
     [["multi_choice_regex", {"regex_pattern": "zz", "ignore_case": True, "ignore_punctuation": True}], FIRST],
     [["Neither nor!"]], LETTERS),
    ("a choice by its letter", [["multi_choice_regex", {"regex_pattern": "zz"}], FIRST], [["Answer:  B"], ["Answer: D"], [":C"]], LETTERS),
    ("a choice with expressions to ignore",
     [["multi_choice_regex", {"regex_pattern": "zz", "regexes_to_ignore": [r"\s", "of"]}], FIRST], [["Guilty Romance"]], LETTERS),
    ("no choice", [["multi_choice_regex", {"regex_pattern": "zz", "group_select": -1}], FIRST], [["nothing"]], LETTERS),
    ("no column of choices", [["multi_choice_regex", {}], FIRST], [["a"]], {"options": []}),
    ("equal choices", [["multi_choice_regex", {"regex_pattern": "zz"}], FIRST], [["it is yes"]], {"choices": ["yes", "yes"]}),
    ("too many choices", [["multi_choice_regex", {}], FIRST], [["a"]], {"choices": [str(n) for n in range(27)]}),
    ("tags", [["regex_pos", {}]], [["[('the', 'DET'), ('cat', 'NOUN')]"], ["none"]], {}),
    ("tags with a fallback", [["regex_pos", {"fallback": ["X"]}], FIRST], [["none"]], {}),
    ("named entities", [["format_span", {}], FIRST],
     [["PER: Kofi, none $$ Location : Accra\ndate: 5 May$$"], ["person: a persons: b"], ["none"]], {}),
    ("nothing to do", [], [["a", "b"]], {}),
]
TRANSLATIONS = [
    ("of the specification", [["the cat sat on the mat.", "the cat sat on mat."], ["hello, world", "hello world"]]),
    ("equal", [["the cat sat on the mat", "the cat sat on the mat"]]),
    ("nothing alike", [["a b c d e", "v w x y z"]]),
    ("an empty prediction", [["a b c d e", ""], ["a b", "a b"]]),
    ("an empty reference", [["", "a b"]]),
    ("all empty", [["", ""]]),
    ("no 4-gram", [["a b c", "a b c"]]),
    ("no 2-gram in common", [["a b c d e f", "b a d c f e"]]),
    ("several references", [[["the cat", "a cat sat here now"], "a cat sat there now"], [["x y z", "x y"], "x y z"]]),
    ("more references for one", [[["the cat", "a cat sat here"], "a cat sat"], [["x y z"], "x y"], [["b c d", "b c", "b"], "b c"]]),
    ("a block moved", [["a b c d e f g h", "e f g h a b c d"]]),
    ("case", [["The Cat", "the cat"]]),
    ("entities and markup", [["&quot;AT&amp;T&quot; &lt;b&gt;", "\"AT&T\" <b>"], ["a-\nb <skipped>c", "ab c"]]),
    ("numbers", [["1,000.50 2-3 4.", "1,000.50 2-3 4 ."], ["x.y,z", "x . y , z"]]),
    ("other scripts", [["日本語 テスト。", "日本語 のテスト。"], ["¿Qué?", "Qué"], ["naïve café", "naive cafe\u0301"]]),
]
EXACT = [
    ("equal", "a b", "a b", {}), ("a space more", "a", "a ", {}), ("a NUL more", "a\0\0", "a", {}), ("a NUL within", "a\0b", "ab", {}),
    ("case", "ABC", "abc", {"ignore_case": True}), ("a longer lower case", "İ", "i", {"ignore_case": True}),
    ("a longer lower case, cut", "İa", "i\u0307a", {"ignore_case": True}), ("and kept where a NUL makes room", "İ\0", "i\u0307\0", {"ignore_case": True}),
    ("punctuation", "a.b!", "ab", {"ignore_punctuation": True}), ("other punctuation", "a。", "a", {"ignore_punctuation": True}),
    ("digits", "a1b", "ab", {"ignore_numbers": True}), ("other digits", "a٣", "a", {"ignore_numbers": True}),
    ("expressions", "the answer: 5", "answer: 5", {"regexes_to_ignore": ["the ", r"\s"]}), ("in order", "xxy", "y", {"regexes_to_ignore": ["^x", "^x"]}),
    ("no expressions", "a\0", "a", {"regexes_to_ignore": []}), ("a list", ["a", "b", "A"], "a", {}), ("a list, case", ["a", "b", "A"], "a", {"ignore_case": True}),
    ("a list with a wide text", ["İ", "abc"], "i\u0307", {"ignore_case": True}), ("an empty list", [], "a", {}),
]
ROUGE = [("the cat sat", "the cat sat"), ("the cat sat on the mat", "the cat on mat sat"), ("", "a"), ("a", ""), ("日本", "日本"),
         ("a b\nc d", "c d\na b"), ("a b c\n\nd e f a", "a c\nf d e a a"), ("Don't stop.", "don t STOP"), ("\u212a1 İ", "k1 i")]


def filter_case(name, steps, responses, document):
    case = {"name": name, "steps": steps, "responses": repr(responses), "documents": [document] * len(responses)}
    expected = filters(steps, case["responses"], case["documents"])
    return case | ({"refused": True} if expected is None else {"expected": expected})


def listed(items):
    return [[[gold] if isinstance(gold, str) else gold, prediction] for gold, prediction in items]


def translation_case(name, items):
    made = {what: [corpus(what, items), corpus_stderr(what, items)] for what in ("bleu", "chrf", "chrf++", "ter")}
    return {"name": name, "items": items, **made, "bleu_intl": corpus("bleu_intl", listed(items))}


def short_corpora(count):
    number = 0
    while count:
        number += 1
        items = translation_fuzz.items(random.Random(number))
        if len(items) > 1 and sum(len(prediction) for _, prediction in items) < 200:
            count -= 1
            yield number, items


def drawn(number, items):
    return translation_case(f"drawn {number}", [[gold, prediction] for gold, prediction in items])


def drawn_filter(number):
    rng = random.Random(number)
    responses = [[filters_fuzz.answer(rng, "text") for _ in range(rng.randint(1, 3))] for _ in range(2)]
    document = {"choices": [rng.choice(filters_fuzz.CHOICES) for _ in range(3)]}
    return filter_case(f"drawn {number}", filters_fuzz.steps(rng), responses, document)


def write(name, source, cases):
    lines = ",\n".join(json.dumps(case) for case in cases)
    (FOLDER / name).write_text(f'{{"source": "{source}; written by make_text_cases.py", "cases": [\n{lines}\n]}}\n')


def main():
    versions = {name: f"{name} {importlib.metadata.version(name)}" for name in ("lm_eval", "sacrebleu", "rouge_score")}
    write("filters.json", versions["lm_eval"], [filter_case(*case) for case in FILTERS] + [drawn_filter(n) for n in range(60)])
    write("translations.json", f"{versions['sacrebleu']}, {versions['lm_eval']}",
          [translation_case(*case) for case in TRANSLATIONS] + [drawn(*corpus) for corpus in short_corpora(25)])
    write("exact_match.json", versions["lm_eval"],
          [{"name": name, "prediction": prediction, "reference": reference, "arguments": arguments,
            "expected": exact_match(prediction, reference, arguments)} for name, prediction, reference, arguments in EXACT])
    write("rouge.json", versions["rouge_score"],
          [{"target": target, "prediction": prediction, "expected": rouge(target, prediction)} for target, prediction in ROUGE])


if __name__ == "__main__":
    main()
