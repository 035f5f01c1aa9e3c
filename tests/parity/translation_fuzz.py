"""Random texts through sacrebleu, rouge_score and lm-eval's exact_match, and through tare.

    translation_fuzz.py SCORE_CAT [COUNT [SEED]]     (default: 500 corpora, seed 1)
"""

import collections
import random
import sys

from score_reference import Cat, close, corpus, corpus_stderr, exact_match, rouge

WORDS = ["the", "cat", "sat", "on", "a", "mat", "The", "Cat", ".", ",", "mat.", "1,000.5", "3-4", "well-known", "&quot;x&amp;",
         "<skipped>", "-\n", "\n", "(hi)", "日本語", "。", "naïve", "e\u0301", "€5", "¿qué?", "İ", "ß", "don't", "\u00a0",
         "\u2028", "a.b", "..", "...", "5.", ".5", "x,", ",5", "--", "'s", "$", "[a]", "{b}", "/", "٣٤", "½", "\u3000", "§1"]


def sentence(rng, words, most=14):
    return rng.choice(["", " ", ""]) + rng.choice([" ", " ", " ", ""]).join(
        rng.choice(words) for _ in range(rng.randint(0, most)))


def changed(rng, text, words):
    tokens = text.split(" ")
    for _ in range(rng.randint(0, 4)):
        at = rng.randrange(len(tokens) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            tokens.insert(at, rng.choice(words))
        elif kind == 1 and tokens:
            tokens.pop(at % len(tokens))
        elif kind == 2:
            tokens = tokens[at:] + tokens[:at]
        elif tokens:
            length = rng.randint(1, 3)
            start = at % len(tokens)
            block, rest = tokens[start:start + length], tokens[:start] + tokens[start + length:]
            place = rng.randint(0, len(rest))
            tokens = rest[:place] + block + rest[place:]
    return " ".join(tokens)


def items(rng):
    words = rng.sample(WORDS, rng.choice([3, 8, len(WORDS)]))
    most = rng.choice([1, 1, 3])
    longest = rng.choice([6, 14, 14, 40, 150])
    out = []
    for _ in range(rng.choice([1, 2, 3, 5, 8])):
        prediction = sentence(rng, words, longest)
        references = [changed(rng, prediction, words) if rng.random() < .8 else sentence(rng, words, longest)
                      for _ in range(rng.randint(1, most))]
        out.append([references, prediction])
    return out


def exact_match_case(rng):
    pieces = ["a", "A", "İ", "ß", "\0", " ", ".", "!", "1", "٣", "x"]
    word = lambda: "".join(rng.choice(pieces) for _ in range(rng.randint(0, 4)))  # noqa: E731
    prediction = word()
    reference = rng.choice([prediction, prediction.lower(), prediction + "\0", prediction.replace(".", ""), word()])
    arguments = {name: True for name in ("ignore_case", "ignore_punctuation", "ignore_numbers") if rng.random() < .4}
    if rng.random() < .4:
        arguments["regexes_to_ignore"] = rng.sample(["x", "a$", r"\s", ".$", "[^a]"], rng.randint(0, 2))
    elif rng.random() < .3:
        prediction = [word() for _ in range(rng.randint(1, 4))]
    return prediction, reference, arguments


def main():
    cat = Cat(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    counts = collections.Counter()

    def check(what, theirs, ours, shown):
        counts[what] += 1
        if not close(theirs, ours.get("output")):
            counts["different"] += 1
            print(f"{what} of {shown!r}\n  {theirs!r}\n  {ours!r}")

    for number in range(count):
        rng = random.Random(seed * 1_000_003 + number)
        made = items(rng)
        counts["segments"] += len(made)
        for what in ("bleu", "bleu_intl", "chrf", "chrf++", "ter"):
            with_error = number % 10 == 0 and max(len(item[1]) for item in made) < 300
            theirs = [corpus(what, made), corpus_stderr(what, made) if with_error else None]
            ours = cat(what, items=made)
            if not with_error and "output" in ours:
                ours["output"][1] = None
            check(what, theirs, ours, made)
        target, prediction = (rng.choice(["", "A. "]) + text.replace("cat", "\n") for text in (made[0][0][0], made[0][1]))
        check("rouge", rouge(target, prediction), cat("rouge", items=[target, prediction]), [target, prediction])
        for _ in range(5):
            prediction, reference, arguments = exact_match_case(rng)
            check("exact_match", exact_match(prediction, reference, arguments),
                  cat("exact_match", items=[prediction, reference], arguments=arguments),
                  [prediction, reference, arguments])
    print(dict(counts))
    passed = sum(n for what, n in counts.items() if what not in ("segments", "different")) - counts["different"]
    print(f"{passed} passed, {counts['different']} failed")
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
