"""Random patterns and texts through Python's re and through tare.

    regex_fuzz.py REGEX_CAT [COUNT [SEED]]     (default: 20000 patterns, seed 1)

Prints each difference that is not explained. Explained are repeats of what can match nothing, on
which the engines differ, back-references and (?a) with (?i) (docs/design/regex.md), and internal errors of
CPython.
"""

import collections
import random
import re
import sys

from regex_reference import Cat, differences, is_error, reference, repeats_nothing

LETTERS = "abcABC019 ._-\n\t:()é日ß²٣İıiIkKſsµ\u0301\u200b\x1c\x85\u180e\u2028"
ATOMS = [
    "a", "b", "c", "A", "é", "日", " ", "0", "1", ":", "\\.", "\\-", "\\n", "\\t", "\\x41", "\\u00e9",
    ".", ".", "\\w", "\\W", "\\s", "\\S", "\\d", "\\D", "[abc]", "[^abc]", "[a-c]", "[^\\s]",
    "[\\w.]", "[\\W_]", "[^\\W\\d]", "[\\d\\S]", "[0-9.,]", "[]a]", "[^]a]", "[a\\-c]", "[-a]",
    "[a-]", "[\\b\\n]", "[[:alpha:]]", "i", "k", "s", "{", "}", "{,}", "]", "\\(", "\\)", "\\141", "\\0",
]
ANCHORS = ["^", "$", "\\A", "\\Z", "\\b", "\\B"]
QUANTIFIERS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{,2}", "{1,}", "{0,1}?", "{2", "++",
               "*+", "?+", "{x}"]
BROKEN = ["(", ")", "[", "\\", "*", "\\q", "(?P<", "(?P<a>", "(?z)", "(?<=a*)", "\\9", "(?(7)a|b)",
          "[z-a]", "[\\w-a]", "(?i)", "a**", "^*", "\\x1", "(?P=no)", "{3,1}"]


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.groups = 0
        self.closed = []

    def pattern(self):
        flags = self.rng.choice([""] * 6 + ["(?i)", "(?s)", "(?m)", "(?x)", "(?a)", "(?im)"])
        return flags + self.alternatives(self.rng.choice([0, 1, 1, 2, 2, 3]))

    def alternatives(self, depth):
        return "|".join(self.sequence(depth)
                        for _ in range(self.rng.choice([1, 1, 1, 2, 3])))

    def sequence(self, depth):
        return "".join(self.item(depth) for _ in range(self.rng.randint(0 if depth else 1, 3)))

    def item(self, depth):
        chance = self.rng.random()
        if chance < .004:
            return self.rng.choice(BROKEN)
        if chance < .1:
            return self.rng.choice(ANCHORS)
        if depth > 0 and chance < .5:
            return self.group(depth - 1)
        atom = self.rng.choice(ATOMS)
        return atom + self.rng.choice(QUANTIFIERS) if self.rng.random() < .35 else atom

    def group(self, depth):
        kind = self.rng.randrange(12)
        if kind < 5:
            self.groups += 1
            number = self.groups
            name = f"?P<g{number}>" if kind == 0 else ""
            text = f"({name}{self.alternatives(depth)})"
            self.closed.append(number)
            return text + (self.rng.choice(QUANTIFIERS) if self.rng.random() < .15 else "")
        if kind < 7:
            return f"(?:{self.alternatives(depth)})" + (
                self.rng.choice(QUANTIFIERS) if self.rng.random() < .3 else "")
        if kind == 7:
            return f"(?{self.rng.choice('=!')}{self.plain(depth)})"
        if kind == 8:
            return f"(?<{self.rng.choice('=!')}{self.rng.choice(ATOMS)}{self.rng.choice(['', 'a', '|b'])})"
        if kind == 9 and self.closed:
            number = self.rng.choice(self.closed)
            return self.rng.choice([f"\\{number}", f"(?({number}){self.rng.choice(ATOMS)}|b)"])
        if kind == 10:
            return f"(?>{self.plain(depth)})"
        return f"(?{self.rng.choice(['i', 's', 'm', '-i', 's-i', 'x'])}:{self.sequence(depth)})"

    def plain(self, depth):
        return self.rng.choice(ATOMS) + self.rng.choice(["", "a", "*", "|b"])


def texts_for(rng):
    texts = ["", "".join(rng.choice("abc\n") for _ in range(rng.randint(1, 8)))]
    texts += ["".join(rng.choice(LETTERS) for _ in range(rng.randint(1, 14))) for _ in range(6)]
    return texts


def main():
    cat = Cat(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    counts = collections.Counter()
    for number in range(count):
        rng = random.Random(seed * 1_000_003 + number)
        pattern, texts = Maker(rng).pattern(), texts_for(rng)
        replacement = rng.choice(["", "<\\g<0>>", "\\1", "-", "\\n\\.", "\\g<g1>"])
        try:
            theirs = reference(pattern, texts, replacement)
        except SystemError:
            counts["explained: CPython's own error"] += 1
            continue
        ours = cat(pattern, texts, replacement)
        counts["refused" if is_error(theirs) else "compiled"] += 1
        found = list(differences(theirs, ours, texts))
        if found and not is_error(theirs) and repeats_nothing(pattern):
            counts["explained: repeats nothing"] += 1
            continue
        if found and re.search(r"\(\?m?-?\w*i", pattern) and re.search(r"\\\d|\(\?a", pattern):
            counts["explained: case of back-references and of ASCII"] += 1
            continue
        for text, operation, left, right in found[:1]:
            print(f"#{number} {pattern!r} on {text!r}, {operation}\n  {left!r}\n  {right!r}")
        counts["different"] += bool(found)
    print(dict(counts))
    print(f"{count - counts['different']} passed, {counts['different']} failed")
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
