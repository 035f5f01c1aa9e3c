"""Writes cases.json: what CPython's re makes of patterns and texts.

Needs CPython 3.11:  python tests/cases/regex/make_cases.py
"""

import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent.parent / "parity"))
from regex_reference import is_error, reference  # noqa: E402

# pattern, texts, replacement
CASES = [
    (r"#### (\-?[0-9\.\,]+)", ["so #### 1,234.50.\n#### -3", "none"], r"<\1>"),
    (r"(-?[$0-9.,]{2,})|(-?[0-9]+)", ["$1,000 and 7", "5"], r"[\1|\2]"),
    (r"(?i)answer(?: is)?:? *([A-D])", ["The ANSWER is: b. answer C", ""], r"\g<1>"),
    (r"(?s)```(?:python)?\n(.*?)```", ["a ```python\nx = 1\n``` b ```\ny``` c"], r"{\1}"),
    (r"(?<=is )(\w+)(?!\w)", ["this is it", "is  "], "x"),
    (r"(?<![\w.])\d+", ["3.14 15 x9 26"], "#"),
    (r"(?P<first>\w)(?P=first)", ["aab bcc", "éé"], r"\g<first>"),
    (r"x*", ["", "axxb", "日x"], "-"), (r"x*|b", ["abxd"], "-"), (r"\b", ["ab cd", ""], "|"),
    (r"\B", ["ab cd", ""], "|"), (r"a|", ["aba"], "-"), (r"(?=a)|a", ["aa"], "-"),
    (r"$", ["a\n", "a\n\n", ""], "!"), (r"(?m)$", ["a\nb\n"], "!"), (r"(?m)^", ["a\nb\n", "\n"], "!"),
    (r"^", ["a\nb"], "!"), (r"\Z", ["a\n"], "!"), (r"a.c", ["a\nc a\rc a\u2028c"], "!"),
    (r"(?s)a.c", ["a\nc"], "!"),
    (r"\s+", ["a\x1c\x1d\x1e\x1fb\x85c\u00a0d\u180ee\u200bf\u2028g\u3000h"], "_"),
    (r"\S+", ["a\x1cb\u180ec\u0085d"], "_"), (r"[\s]|[^\S\n]", ["a \n\tb"], "_"),
    (r"\w+", ["e\u0301te caf\u00e9 a_b \u0663\u00b2 \u203f \u4e2d"], "<>"),
    (r"[\W_]+", ["e\u0301te a_b-c"], "<>"), (r"[^\W\d]+", ["a1\u0301b_"], "<>"), (r"\W", ["\u0301a"], "<>"),
    (r"\d+", ["12 \u0663\u0664 \u00b2 \u2460"], "#"), (r"\D", ["1\u0663a"], "#"),
    (r"(?a)\w+", ["caf\u00e9 \u0663 a_1"], "#"), (r"(?a)\s|\d", ["a\x1cb\u00a0c \u06631"], "#"),
    (r"(?i)k", ["kK\u212a"], "#"), (r"(?i)i", ["iI\u0130\u0131"], "#"), (r"(?i)[i]", ["iI\u0130\u0131"], "#"),
    (r"(?i)[^i]", ["iI\u0130\u0131x"], "#"), (r"(?i)\u00df", ["\u00df\u1e9ess"], "#"),
    (r"(?i)\u0390|\ufb05", ["\u0390\u1fd3\ufb05\ufb06"], "#"), (r"(?i:a)b", ["AB Ab ab"], "#"),
    (r"(?i)a(?-i:b)", ["AB Ab"], "#"), (r"(?x) a  b # no\n [ ]c", ["ab c", "a b c"], "#"),
    (r"a{,2}b", ["aaab b"], "#"), (r"a{2}b{1,}", ["aabb ab"], "#"), (r"a{x}|a{|a{,}", ["a{x} a{ aaa"], "#"),
    (r"a{2,3}?", ["aaaaa"], "#"), (r"a++b", ["aab"], "#"), (r"(?>a*)a", ["aa"], "#"),
    (r"(a)?(?(1)b|c)", ["ab c b"], "#"), (r"(a)|(b)", ["ab"], r"[\1\2]"), (r"(\w)(\d)?", ["a1 b"], r"\2\1"),
    (r"[[:alpha:]]", [":] a]"], "#"), (r"[]a]", ["]a"], "#"), (r"[^]a]", ["]ab"], "#"), (r"[a\-z]", ["a-b"], "#"),
    (r"[a-]", ["a-b"], "#"), (r"[\b]", ["\b"], "#"), (r"[\x41-\u0043]", ["ABCD"], "#"), (r"\141\60\0", ["a0\0"], "#"),
    (r"\.\*\(", [".*("], "#"), (r"\Qa\E", ["a"], "#"), (r"\p{L}", ["a"], "#"), (r"\h", [" "], "#"), (r"\G", [""], "#"),
    (r"(*UTF)a", ["a"], "#"), (r"\K", ["a"], "#"), (r"(?|a)", ["a"], "#"), (r"(?#note)a", ["a"], "#"),
    (r"(", [""], ""), (r")", [""], ""), (r"[", [""], ""), (r"a**", [""], ""), (r"*a", [""], ""), (r"^*", [""], ""),
    (r"(?<=a*)b", [""], ""), (r"(?<=a|bc)d", [""], ""), (r"\2(a)", [""], ""), (r"(a\1)", [""], ""), (r"a(?i)b", [""], ""),
    (r"(?P<a>x)(?P<a>y)", [""], ""), (r"(?P=b)", [""], ""), (r"[b-a]", [""], ""), ("\\", [""], ""), (r"\x4", [""], ""),
    (r"(?P<1>a)", [""], ""), (r"(?(2)a|b)", [""], ""), (r"(?(1)a|b|c)(x)", [""], ""), (r"a{3,2}", [""], ""), (r"\8", [""], ""),
    (r"(a)(b)", ["ab"], r"\g<2>\g<1>\g<0>"), (r"a", ["a"], r"\0\141\n\t\\\-"), (r"a", ["a"], r"\1"), (r"a", ["a"], r"\q"),
    (r"a", ["a"], "\\"), (r"a", ["a"], r"\g<x>"), (r"a", ["a"], r"\g<"), (r"(?P<n>a)", ["a"], r"\g<n>\g<01>"),
    (r"\[.*?\]", ["a [title] b [x]"], ""), (r",\s*|\s+", ["a, b  c,d"], "/"), (r"(,)(;)?", ["a,b,;c"], "/"),
]


def main():
    cases = []
    for pattern, texts, replacement in CASES:
        result = reference(pattern, texts, replacement)
        case = {"pattern": pattern, "replacement": replacement}
        if is_error(result):
            case["refused"] = True
        else:
            for text, outcome in zip(texts, result["outcomes"]):
                if is_error(outcome["sub"]):
                    outcome["sub"] = None
                cases.append({**case, "text": text, **outcome})
            continue
        cases.append(case)
    source = "CPython " + sys.version.split()[0] + ", module re; written by make_cases.py"
    lines = ",\n".join(json.dumps(case) for case in cases)
    (FOLDER / "cases.json").write_text(f'{{"source": "{source}", "cases": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
