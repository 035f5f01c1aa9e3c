"""All regular expressions of lm-eval's task files through Python's re and through tare.

    regex_tasks.py REGEX_CAT [TASKS [TEXTS]]

TASKS is the lm_eval/tasks folder (default: TARE_LM_EVAL); TEXTS random texts a pattern (default 300),
half of them made of the pattern's own characters.
"""

import collections
import os
import pathlib
import random
import re
import sys

from regex_reference import Cat, differences, reference

KEY = re.compile(r"^\s*-?\s*(regex_pattern|regexes_to_ignore)\s*:\s*(.*)$")
WORDS = ["The answer is ", "the best answer is", "Answer: ", "#### ", "42", "1,234.50", "$", "(A)", "(B)",
         "A", "B.", "\\boxed{", "}", "[invalid]", "yes", "No", "true", "\n", "\n\n", " ", ":", "**", "é",
         "日本", "٣", "\u00a0", "<|end|>", "[", "]", "'", '"', "```", "python", "-", "0.5", "%", "答案", "是"]


def patterns(folder):
    found = set()
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.suffix not in (".yaml", ".yml") and not path.name.endswith("_yaml"):
            continue
        if path.is_file():
            found.update(in_file(path))
    return sorted(found)


def in_file(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        match = KEY.match(line)
        if not match:
            continue
        if match[1] == "regex_pattern":
            yield scalar(match[2])
            continue
        for item in lines[number + 1:]:
            if not item.strip().startswith("- "):
                break
            yield scalar(item.strip()[2:])


def scalar(text):
    text = text.strip()
    if text.startswith('"'):
        body = re.match(r'"((?:[^"\\]|\\.)*)"', text)[1]
        return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), body)
    if text.startswith("'"):
        return re.match(r"'((?:[^']|'')*)'", text)[1].replace("''", "'")
    return re.sub(r"\s+#.*$", "", text)


def text_for(rng, pattern):
    pieces = WORDS if rng.random() < .5 else WORDS + list(pattern) * 2 + re.findall(r"\w+", pattern) * 5
    return "".join(rng.choice(pieces) for _ in range(rng.randint(0, 25)))


def main():
    folder = sys.argv[2] if len(sys.argv) > 2 else os.environ["TARE_LM_EVAL"]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 300
    cat = Cat(sys.argv[1])
    counts = collections.Counter()
    for pattern in patterns(folder):
        rng = random.Random(pattern)
        texts = [text_for(rng, pattern) for _ in range(count)]
        theirs, ours = reference(pattern, texts, "<\\g<0>>"), cat(pattern, texts, "<\\g<0>>")
        counts["patterns"] += 1
        counts["refused"] += "error" in theirs
        counts["matches"] += sum(len(outcome["find"]) for outcome in theirs.get("outcomes", []))
        found = list(differences(theirs, ours, texts))
        counts["different"] += bool(found)
        for text, operation, left, right in found[:1]:
            print(f"{pattern!r} on {text!r}, {operation}\n  {left!r}\n  {right!r}")
    print(dict(counts))
    print(f"{counts['patterns'] - counts['different']} passed, {counts['different']} failed")
    return 1 if counts["different"] or not counts["patterns"] else 0


if __name__ == "__main__":
    sys.exit(main())
