#!/usr/bin/env python3
"""Writes the case files of this folder from what CPython itself does.

Run with CPython 3.11 (its Unicode tables are version 14): python3 tests/cases/base/make_cases.py
"""

import ast
import datetime
import json
import pathlib
import platform
import random
import struct
import unicodedata

HERE = pathlib.Path(__file__).parent
SOURCE = f"CPython {platform.python_version()}, Unicode {unicodedata.unidata_version}"
EVERY = [chr(c) for c in range(0x110000)]


def write(name, **content):
    text = json.dumps({"source": SOURCE, **content}, ensure_ascii=True, indent=None)
    (HERE / f"{name}.json").write_text(text.replace('}, {"', '},\n{"') + "\n")


def switches(predicate):
    """The code points at which the answer changes, starting from False."""
    found, last = [], False
    for code, char in enumerate(EVERY):
        if predicate(char) != last:
            found.append(code)
            last = not last
    return found


def code_points():
    surrogate = range(0xD800, 0xE000)
    cased = [
        [code, c.lower(), c.upper(), c.title()]
        for code, c in enumerate(EVERY)
        if code not in surrogate and (c.lower(), c.upper(), c.title()) != (c, c, c)
    ]
    properties = {
        "is_space": str.isspace,
        "is_digit": str.isdigit,
        "is_printable": str.isprintable,
        "is_alpha": str.isalpha,
        "is_alnum": str.isalnum,
        "is_upper": str.isupper,
        "is_lower": str.islower,
        "is_punctuation": lambda c: unicodedata.category(c).startswith("P"),
    }
    write(
        "code_points",
        switches={name: switches(test) for name, test in properties.items()},
        cased=cased,
    )


# Sigma before and after letters, marks and apostrophes; expanding, title-case and ignored letters;
# spaces and digits of several scripts; line ends and controls.
ALPHABET = (
    "aAzZ09 _-.':\u03a3\u03c3\u03c2\u00df\u0130\u0131\u0149\ufb01\u01c5\u01c6\u0345\u0301\u00ad"
    "\u1f80\u1f88\u0390\u0587\u02b0\u2160\u24d0\u00aa\u00b2\u0663\u4e00\U00010400\U0001f600"
    "\t\n\r\x0b\x1c\x85\xa0\u1680\u2003\u2028\u202f\u3000\u200b\ufeff\"\\\x00\x7f\ue000\U000e0001"
)


def random_text(rng, longest=12):
    return "".join(rng.choice(ALPHABET) for _ in range(rng.randrange(longest + 1)))


def strings():
    rng = random.Random(7)
    texts = ["", "STRASSE stra\u00dfe", "\u039f\u0394\u03a5\u03a3\u03a3\u0395\u03a5\u03a3", "it's o'neil's 3rd-rate"]
    texts += [random_text(rng) for _ in range(150)]
    sets = ["", "a", " ,.", "\u03a3\u00df", "\u3000\U0001f600a"]
    cases = []
    for i, text in enumerate(texts):
        chars = sets[i % len(sets)]
        padded = chars + text + chars[::-1]
        cases.append(
            {
                "text": text,
                "length": len(text),
                "digits": text.isdigit(),
                "lower": text.lower(),
                "upper": text.upper(),
                "capitalize": text.capitalize(),
                "title": text.title(),
                "strip": text.strip(),
                "lstrip": text.lstrip(),
                "rstrip": text.rstrip(),
                "padded": padded,
                "chars": chars,
                "strip_chars": padded.strip(chars),
                "lstrip_chars": padded.lstrip(chars),
                "rstrip_chars": padded.rstrip(chars),
                "repr": repr(text),
                "json": json.dumps(text, ensure_ascii=False),
                "json_ascii": json.dumps(text),
            }
        )
    write("strings", cases=cases)


def double_of(bits):
    return struct.unpack("<d", struct.pack("<q", bits))[0]


def bits_of(number):
    return struct.unpack("<q", struct.pack("<d", number))[0]


def reals():
    rng = random.Random(11)
    numbers = [0.0, -0.0, 1.0, 0.1, 1e15, 1e16, 1.5e16, 123456789012345678.0, 1e22, 1e-4, 1e-5]
    numbers += [5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 9007199254740993.0]
    numbers += [float("inf"), float("-inf"), float("nan"), 2.0**-44, 1 / 3, 100.0, 1e100]
    numbers += [double_of(rng.getrandbits(64) - 2**63) for _ in range(500)]
    numbers += [round(rng.uniform(-1000, 1000), rng.randrange(6)) for _ in range(200)]
    numbers += [10.0**e for e in range(-30, 31)]
    texts = ["1.", ".5", "1e5", "+1e-3", "-0.0", "1e400", "-1e400", "1e-400", "0e999999999999"]
    texts += ["0.0000000000000000000000000001e30", "123456789" * 40, "1" + "0" * 400]
    texts += ["0." + "0" * 400 + "1", "0." + "0" * 400 + "1e410", "2.4703282292062328e-324"]
    write(
        "reals",
        printed=[[bits_of(number), repr(number)] for number in numbers],
        read=[[text, repr(float(text))] for text in texts],
        refused=["", "-", ".", "e5", "1e", "1e+", "+-1", "1.2.3", "0x10", "inf", "nan", " 1", "1 ", "1_0"],
    )


LITERALS = r"""
1|-1|+ 1|0|00|0_0|1_000|0x1F|0XfF_f|0x_f|0o17|0O7_7|0b101|0B1_0|9223372036854775807
-9223372036854775808|- 9223372036854775808|1.|.5|1e5|1E-5|1_0.0_1e1_0|-.5e+3|09.5|1e400|-1e400
True|False|None|()|(1)|((1))|(1,)|(1, 2)|1, 2|1,|[]|[1, 2,]|[[], [[]]]|{}|{'a': 1}|{'a': 1,}
{1: 'x', 1.0: 'y', True: 'z'}|{(1, 2): [3], None: {}}|{'b': 1, 'a': 2, 'b': 3}| 1|1 |	[1]
'a'|"a"|'it\'s'|"it's"|'a' "b" 'c'|('a'  'b')|''''a'b'''|'''a"b'''|'\x41\u00e9\U0001F600\101\7\0'
'\a\b\f\n\r\t\v\\\'\"'|'\q\8\ '|r'\n\''|R"a\b"|u'x'|U"x"|r'''a\'''b'''|'caf""" "\u00e9" r"""'|['a', 'b'  'c', 'd']
[{'question': 'Who?', 'options': ['A', 'B'], 'answer': 'A'}]|[1.5, -2, (None, True), {'k': (1,)}]
""".strip().replace("\n", "|").split("|")
MORE_LITERALS = [
    "[1,\n 2,  # two\n 3]", "\n\n1", "1\n", "# c\n1", "1 # c", "(\n1\n)", "'a\\\nb'", "'''a\nb\r\nc\rd'''",
    "1 \\\n, 2", "r'''a\\\nb'''", "{\n'a':\n1}", "'\u00e9\u4e00\U0001f600'", "'a'\\\n'b'", "(1,\n)", "1,\n", "\f1",
    "[" * 99 + "]" * 99, "'''" + "x'" * 3 + "y'''", "'\\777'", "\"\"\"a\\\"\"\"\"",
]
REFUSED = r"""
|a|nan|[1|(1|{|{1|{1:|{'a' 1}|[1 2]|[,]|(,)|{,}|1 2|1;|01|0_1|1__0|1_|_1|0x|0xg|0b2|0o8|1_.5|1._5|1e_5
2j|1+2j|1+2|--1|-'a'|-True|+None|'a|"a|'''a|'a''|'\x4'|'\u123'|'\U00110000'|'\N{DIGIT ONE}'|b'a'|rb'a'|f'a'|fr'a'
ur'a'|x'a'|'a' b'b'|{1, 2}|{1}|set()|[*a]|{**a}|{[1]: 2}|{{}: 2}|{([],): 2}|...|lambda: 1|[x for x in y]|1 if 1 else 2
'a\x00|1 +|a.b|'a'.b|print(1)|{'a': 1, 2}|{1, 'a': 2}|0777|1.e|.|- -1|not 1|"a' 
""".strip("\n").replace("\n", "|").split("|")
# CPython reads these, and parse_literal does not: larger than 64 bits, surrogates, bytes, complex, sets.
OUR_LIMITS = ["9223372036854775808", "-9223372036854775809", "0x10000000000000000", "'\\ud800'", "'\\ud83d\\ude00'"]


def literals():
    read = [t for t in LITERALS + MORE_LITERALS]
    cases = [{"text": text, "repr": repr(ast.literal_eval(text))} for text in read]
    for text in OUR_LIMITS:
        ast.literal_eval(text)
    rng = random.Random(3)
    for _ in range(200):
        value = random_value(rng, 3)
        cases.append({"text": repr(value), "repr": repr(value)})
    write("literals", read=cases, refused=REFUSED + OUR_LIMITS + ["'a\nb'", "1\n2", "[" * 201 + "]" * 201, "1\x00"])


def random_value(rng, depth):
    kinds = "nbifs" if depth == 0 else "nbifsltd"
    kind = rng.choice(kinds)
    if kind == "n":
        return None
    if kind == "b":
        return rng.random() < 0.5
    if kind == "i":
        return rng.randrange(-(2**40), 2**40) if rng.random() < 0.5 else rng.randrange(10)
    if kind == "f":
        return round(rng.uniform(-10, 10), rng.randrange(5)) * 10.0 ** rng.randrange(-20, 20)
    if kind == "s":
        return random_text(rng, 6)
    items = [random_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    if kind == "l":
        return items
    if kind == "t":
        return tuple(items)
    return {rng.choice([random_text(rng, 3), rng.randrange(5), 1.5, None]): item for item in items}


def as_text(value):
    """Keys as json.dumps writes them, for values that travel through a JSON case file."""
    return json.loads(json.dumps(value))


def dumped():
    rng = random.Random(5)
    values = [as_text(random_value(rng, 3)) for _ in range(150)]
    values += [{}, [], [[]], {"a": {}}, {"a": []}, [{}], [1.0, 1e16, -0.0, None, True], "\u2028\x7f\x1f/"]
    values += [float("inf"), float("-inf"), float("nan"), {"nan": [float("nan")]}]
    cases = [
        {
            "value": value,
            "line": json.dumps(value, ensure_ascii=False),
            "ascii": json.dumps(value),
            "indent0": json.dumps(value, indent=0, ensure_ascii=False),
            "indent2": json.dumps(value, indent=2, ensure_ascii=False),
            "repr": repr(value),
        }
        for value in values
    ]
    literals_as_json = [
        {"literal": repr(value), "line": json.dumps(value, ensure_ascii=False)}
        for value in [(1, (2,), ()), {1: "a", None: "b", 2.5: "c", True: "d"}, {1e16: 1, 0.1: 2}, {False: ()}]
        + [random_value(rng, 3) for _ in range(150)]
    ]
    write("json_dump", cases=cases, literals=literals_as_json)


def small_int(text):
    number = int(text)
    return number if -(2**63) <= number < 2**63 else float(text)


JSON_TEXTS = [
    "null", "true", "false", "NaN", "Infinity", "-Infinity", "0", "-0", "-0.0", "1.5e3", "1E+2", "1e-2", "12345678901234567890",
    "-9223372036854775808", "9223372036854775807", "9223372036854775808", "1e400", "-1e400", "1e-400", "1" * 400,
    ' [ 1 , "a" ,\t{ } \r\n] ', "[]", "{}", '""', '"\\u00e9\\ud83d\\ude00\\n\\/\\"\\\\\\b\\f\\r\\t"', '"\u2028\U0001f600\x7f"', '"\\u0000"',
    '{"a": 1, "b": 2, "a": 3}', '{"": {"": [[], {}]}}', "[NaN, -Infinity, Infinity]", "[" * 300 + "]" * 300,
    '{"a":{"b":[1,2,{"c":null}]}}',
]
JSON_REFUSED = [
    "", " ", "nul", "nulll", "True", "None", "'a'", "[1,]", "[,1]", "[1 2]", "[1", "]", "{", '{"a"}', '{"a":}', '{"a":1,}', "{a:1}", "{1:1}",
    '{"a":1 "b":2}', '"a', '"\\x"', '"\\u12"', '"\\u12g4"', '"\t"', '"\n"', "01", "1.", ".5", "+1", "-", "1e", "1e+", "--1", "0x1", "-NaN", "1 1",
    "[1] x", "\ufeff1", "1,2", "// c\n1", "nan", "\x00", '"\x00"', "[1\x0b]", "\xa01", "-01", "00", "1_0", "Infinit", "-Inf",
]


def parsed():
    def refused(text):
        try:
            json.loads(text)
        except ValueError:
            return True
        return False

    assert all(refused(text) for text in JSON_REFUSED)
    cases = [{"text": t, "repr": repr(json.loads(t, parse_int=small_int))} for t in JSON_TEXTS]
    write("json_parse", read=cases, refused=JSON_REFUSED + ['"\\ud800"', '"\\udc00"', '"\\ud800\\u0041"', "[" * 1001])


def draws(seed):
    rng = random.Random(seed)
    words = [rng.getrandbits(32) for _ in range(700)]
    return {
        "seed": seed,
        "words": words[:3] + words[-3:],
        "random": [rng.random() for _ in range(3)],
        "bits": [[k, rng.getrandbits(k)] for k in (1, 5, 31, 32)],
        "below": [[n, rng._randbelow(n)] for n in (1, 2, 3, 1000, 2**31, 2**32, 2**33 + 1, 2**62 + 3)],
        "sample": [
            [n, k, rng.sample(range(n), k)]
            for n, k in ((0, 0), (1, 1), (21, 5), (22, 5), (85, 6), (86, 6), (85, 21), (277, 22), (278, 22), (5000, 40), (30, 30))
        ],
        "choices": [[n, k, rng.choices(range(n), k=k)] for n, k in ((1, 2), (10, 8), (1000, 5))],
        "shuffled": [[n, shuffled(rng, n)] for n in (0, 1, 2, 8, 50)],
    }


def shuffled(rng, n):
    items = list(range(n))
    rng.shuffle(items)
    return items


def randoms():
    seeds = [0, 1, 42, 1234, -7, 2**31, 2**32 - 1, 2**32, 2**40 + 5, 2**63 - 1, -(2**63)]
    write("random", cases=[draws(seed) for seed in seeds])


def datetimes():
    times = [(1970, 1, 1), (2020, 1, 2, 3, 4, 5), (1969, 12, 31, 23, 59, 59, 999999), (2024, 2, 29, 0, 0, 0, 1)]
    times += [(1, 1, 1), (9999, 12, 31, 23, 59, 59), (1900, 3, 1, 12), (2000, 12, 31, 0, 1)]
    epoch = datetime.datetime(1970, 1, 1)
    moments = [datetime.datetime(*parts) for parts in times]
    write(
        "datetimes",
        cases=[
            {"microseconds": (t - epoch) // datetime.timedelta(microseconds=1), "str": str(t), "repr": repr(t)}
            for t in moments
        ],
    )


if __name__ == "__main__":
    for make in (code_points, strings, reals, literals, dumped, parsed, randoms, datetimes):
        make()
