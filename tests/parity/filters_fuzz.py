"""Random filter pipelines, and those of lm-eval's own tasks, through lm-eval and through tare.

    filters_fuzz.py SCORE_CAT [COUNT [SEED]]     (default: 5000, seed 1)
"""

import collections
import random
import sys

from score_reference import Cat, filters

PATTERNS = [r"#### (\-?[0-9\.\,]+)", r"(-?[$0-9.,]{2,})|(-?[0-9]+)", r"((?<=The answer is )(.*)(?=.))",
            r"\(([A-D])\)", r"(?i)answer: *(\w)?", r"[A-Z]", r"(a)|(b)|", r"\s*(\w+)\s*", r"$"]
PIECES = ["#### ", "1,234", "-5", "The answer is ", "(A)", "(B)", "A", "B.", ": C", ": ", "Answer: ", "a", "b",
          "Guilty", " of Romance", "guilty!", "yes", "No", " ", "\n", "\u00a0", "İ", "ΑΣ", "ß", "é", "¿", "。", "x",
          "PER: Kofi, none", "person : Ama", "$$", "$", "LOC: x,y", "date:none", "[('a', 'NOUN'), ('b', 'X')]"]
CHOICES = ["Guilty", "Guilty of Romance", "yes", "No!", "a.b", "ß", "", " İ ", "guilty", "x (y)", "¿x?"]


def text(rng):
    return "".join(rng.choice(PIECES) for _ in range(rng.randint(0, 6)))


def answer(rng, kind):
    if kind == "text":
        return text(rng)
    return (rng.choice([-1.5, -2.25, 0.0]), rng.random() < .5)


def arguments(rng, name):
    if name == "take_first_k":
        return {"k": rng.randint(0, 3)}
    if name == "map":
        keys = {"A": 1, "B": [0], "yes": "YES", "": None, "é": 2.5}
        out = {"mapping_dict": keys} if rng.random() < .9 else {}
        return out | ({"default_value": rng.choice([-1, "none", [0]])} if rng.random() < .5 else {})
    out = {}
    if name in ("regex", "multi_choice_regex"):
        if rng.random() < .9:
            out["regex_pattern"] = rng.choice(PATTERNS)
        if rng.random() < .4:
            out["group_select"] = rng.choice([0, -1, 1, -2])
        if rng.random() < .4:
            out["fallback"] = rng.choice([" none ", "", None])
    if name == "multi_choice_regex":
        for flag in ("ignore_case", "ignore_punctuation"):
            if rng.random() < .5:
                out[flag] = rng.random() < .8
        if rng.random() < .3:
            out["regexes_to_ignore"] = [rng.choice([r"\s+", "of", "[aeiou]"]), "!"]
    if name == "regex_pos" and rng.random() < .3:
        out["fallback"] = ["X"]
    return out


def steps(rng):
    names = ["take_first", "take_first_k", "majority_vote", "regex", "regex", "remove_whitespace", "lowercase",
             "uppercase", "map", "multi_choice_regex", "multi_choice_regex", "regex_pos", "format_span"]
    return [(name, arguments(rng, name)) for name in (rng.choice(names) for _ in range(rng.randint(1, 3)))]


def main():
    cat = Cat(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    counts = collections.Counter()
    for number in range(count):
        rng = random.Random(seed * 1_000_003 + number)
        kind, repeats = rng.choice(["text"] * 9 + ["pair"]), rng.randint(1, 4)
        size = rng.randint(1, 3)
        responses = repr([[answer(rng, kind) for _ in range(repeats)] for _ in range(size)])
        documents = [{"choices": [rng.choice(CHOICES) for _ in range(rng.randint(1, 5))]} for _ in range(size)]
        pipeline = steps(rng)
        theirs = filters(pipeline, responses, documents)
        ours = cat("filters", steps=pipeline, responses=responses, documents=documents)
        counts["raised" if theirs is None else "filtered"] += 1
        if ours.get("output") != theirs:
            counts["different"] += 1
            print(f"#{number} {pipeline} on {responses} with {documents}\n  {theirs}\n  {ours}")
    print(dict(counts))
    print(f"{count - counts['different']} passed, {counts['different']} failed")
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
