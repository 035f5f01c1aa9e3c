#!/usr/bin/env python3
"""Writes cases.json of this folder from what PyYAML's safe loader does.

Needs PyYAML 6.0.2 with libyaml (in 6.0.4 which of two merged mappings wins depends on the identity
of Python objects): pip install pyyaml==6.0.2 && python3 tests/cases/yaml/make_cases.py
"""

import datetime
import json
import pathlib

import yaml


class Loader(yaml.CSafeLoader):
    pass


Loader.add_constructor("!function", lambda loader, node: {"!function": loader.construct_scalar(node)})

PLAIN = """
yes|Yes|YES|yEs|y|n|no|No|NO|true|True|TRUE|tRue|false|False|FALSE|on|On|ON|off|Off|OFF|oN
null|Null|NULL|nUll|~|none|None|nil|NaN|.nan|.NaN|.NAN|.Nan|.inf|.Inf|.INF|-.inf|+.inf|.iNf|inf|-.nan
0|-0|+0|00|007|0777|0778|-017|08|09|0o17|0o8|0x1F|0xfg|-0x10|+0xAb_c|0b101|0b12|0b1_0|0B1|0X1|1_000|_1|1_|0_7|1__0|-1|+12|--1|+-1
9223372036854775807|-9223372036854775808|12e3|1e5|1e-3|1E5|1.5|-1.5|+1.5|1.|-1.|.5|-.5|+.5|.5e3|.5e+3|1.5e3|1.5e+3|1.5e-3|1.5E+3
1.5e+|1_0.2_5|._5|.5_0|1.2.3|1.e+3|0.1|00.5|09.5|1.0|1e|.|-|+|..|...5|1,000|0.
1:30|1:60|1:5|190:20:30|-1:30|1:30.5|190:20:30.15|0:30|01:30|1:30:|:30|1:2:3:4|1:30.5e+3|+190:20:30.5
2001-12-14|2001-1-4|2001-12-14t21:59:43.10-05:00|2001-12-14 21:59:43.10 -5|2001-12-15 2:59:43.10|2001-12-14T21:59:43Z
2001-12-14 21:59:43.1234567|2001-12-14 21:59:43.|2001-12-14 21:59|2001-12-14T21:59:43+5:30|2001-12-14T21:59:43+05:30|2001-12-14  21:59:43 Z|20011214|2001-12
a b|a: |a:b|a #b|a#b|'a'|"a"|'it''s'|"a\\tb\\u00e9\\x41\\U0001F600\\/\\"\\e\\0\\N\\_\\L\\P"|"1"|'yes'|''|""|! 1|!!str 1|!!str yes|!!str|!!str ~|!!int 3|!!int "3"|!!int '0x1f'
!!float 3|!!float "3.5"|!!float .inf|!!float 1e5|!!bool yes|!!bool "True"|!!bool 'OFF'|!!null x|!!null ''|!!timestamp 2001-12-14|!!timestamp "2001-12-14 21:59:43"
!function a.b|!function "a.b"|!function 'x.y:z'|!function|<tag>|a\\b|"a\\
|[1, two, 'three', ]|[]|{}|{a: 1, b}|[a: 1, b]|{a: [x, {y: z}], }|[1,2]|{"a":1}|{a:1}|[a,b]|'[a]'|? x|a? b|-1 - 2|- |--- |http://a.b/c?d=e#f|{{x}}|"{{x}}"|{% raw %}|100%|a % b|@a|`a`|*|&|& a|*a|!|!a|a!|a*b|a&b|=|<|>|<<|^a|\\d+|(?<=x)|a|a, b|a]|]|}
""".strip("\n").replace("\n", "|").split("|")

DOCUMENTS = [
    "", "# only a comment\n", "---\n", "--- a\n...\n", "%YAML 1.1\n---\na: 1\n", "a: 1\n...\n", "a: 1\n---\nb: 2\n", "---\na: 1\n---\n",
    "a: 1\na: 2\nb: 3\na: 4\n", "1: a\n1.0: b\ntrue: c\n", "null: 1\n~: 2\n", "? a\n: b\n? c\n", "? [a, b]\n: c\n", "? {a: b}\n: c\n", "[a]: 1\n",
    "a:\n  b: 1\n  c:\n  - 1\n  - 2\n", "a:\n- 1\n- - 2\n  - 3\n-\n", "- a\n-\n- b: 1\n  c: 2\n", "a:\nb:\n", "a: b: c\n", "a:\n b\n  c\n\n d\n", "a: 'b\n  c\n\n  d\n\n\n  '\n", 'a: "b\n  c\n\n  d \\\n  e\n\n\n  "\n',
    "a: |\n  x\n   y\n\n  z\n\n\n", "a: |-\n  x\n\n", "a: |+\n  x\n\n\nb: 1\n", "a: >\n  x\n  y\n\n  z\n   w\n  v\n\n", "a: >-\n  x\n  y\n", "a: >+\n  x\n\n\n", "a: |2\n    x\n   y\n", "a: |\n\n\n  x\n", "a: |\n", "a: >\n\n", "- |\n x\n- >\n y\n",
    "a: | # c\n  x # no comment\n", "a: |\n  {{x}}: 'y'\n  - z\n", "a: |\r\n  x\r\n  y\r\n", "a: 1\rb: 2\r", "a: 'x\r\n  y'\n", "a: x\u0085 y\n", "a: 'x\u2028y'\n", "a: \"\u2028\"\n", "\ufeffa: 1\n",
    "a: &x 1\nb: *x\n", "a: &x [1, &y 2]\nb: *x\nc: *y\n", "a: *x\n", "a: &x [*x]\n", "a: &x {b: *x}\n", "a: &x\nb: *x\n", "a: &x 1\n*x : 2\n", "&a b: *a\n",
    "base: &b {x: 1, y: 2}\nd:\n  <<: *b\n  y: 3\n  z: 4\n", "base: &b {x: 1, y: 2}\nd:\n  z: 4\n  y: 3\n  <<: *b\n", "- &a {x: 1}\n- &b {x: 2, y: 2}\n- <<: [*a, *b]\n  z: 0\n", "- &a {xx: 1}\n- &b {xx: 2}\n- <<: *a\n  <<: *b\n", "- &a {xx: 1, y: 1}\n- &b {y: 3, xx: 2}\n- <<: [*b, *a]\n  z: 0\n",
    "- &a {x: 1}\n- &b {<<: *a, y: 1}\n- <<: *b\n", "<<: {a: 1}\na: 2\n", "'<<': {a: 1}\n", "<<: 1\n", "<<: [1]\n", "<<:\n", "<<: []\n", "!!merge <<: {a: 1}\n", "<<: &a {x: 1}\n",
    "a: !!map {b: 1}\nc: !!seq [1]\n", "a: !!seq {b: 1}\n", "a: !!map [1]\n", "a: !!str [1]\n", "a: !!set {b}\n", "a: !!omap [b: 1]\n", "a: !!binary aGk=\n", "a: !!python/object:os.system x\n", "a: !!python/name:os.system\n", "a: !x y\n", "a: !x [1]\n", "a: !function [1]\n", "a: !function {b: 1}\n",
    "%TAG ! tag:yaml.org,2002:\n---\na: !str 1\n", "a: !<tag:yaml.org,2002:str> 1\n", "a: !<!function> f\n", "! a: ! [1]\n", "a: !e!x 1\n",
    "a: [1, 2\n", "a: {b: 1\n", "a: 'x\n", "a: \"x\n", "a: \"\\q\"\n", "a: \"\\x4\"\n", "\ta: 1\n", "a:\t1\n", "a: 1\n\tb: 2\n", "a:\n\t- 1\n", "a: 1\n b: 2\n", "  a: 1\n b: 2\n", "- a\nb: 1\n", "a: 1\n- b\n", "a: x: y\n", "a: - b\n", "a: [b]c\n", "a: 'b'c\n", "a: %x\n",
    "a: @x\n", "a: `x`\n", "a: }\n", "a: ]\n", "a:, b\n", "a: b, c\n", "{a: 1}: 2\n", "a\n", "a b\n", "'a'\n", "[1, {b: c}]\n", "{a: 1,, b: 2}\n", "[,]\n", "[a, , b]\n", "{a, b: }\n", "[a\n, b]\n", "a: [\n  b,\n  c\n]\n", "a: [\nb\n]\n", "a: {\nb: c\n}\n",
    "a: 1 # c\n# d\nb: 2\n", "a: 'x' # c\n", "a: x# c\n", "a: \"x\"# c\n", "a: [x]# c\n", "#a: 1\nb: 2", "a: b\n---", "a: b\n--- c\n", "a: b\n... c\n", "---a: 1\n", "--- a: 1\n", "--- [a]\n", "--- |\n x\n", "a: |x\n  y\n", "a: |0\n  y\n", "a: |10\n  y\n", "a: |-2\n    y\n", "a: |2-\n    y\n",
    "a: \"x\\\n  y\"\n", "a: \"x\\  y\"\n", "a: \"x  \n   y\"\n", "a: x  \n   y  \n", "a: 'x''''y'\n", "\"a\": 1\n'b': 2\n\"c\":3\n", "{\"a\":1, 'b':2, c: 3}\n", "a : 1\nb  :  2\n", "? a\n", "? |\n  k\n: v\n", "- - - a\n", "-a: 1\n", "-\ta\n", "- a: 1\n  b: 2\n-\n  c: 3\n",
    "a: \x01\n", "a: \x7f\n", "a: \"\\x01\"\n", "a: \"\\uD800\"\n", "a: \"\\ud83d\\ude00\"\n", "a: \ufffe\n", "a: \U0001f600 \u4e00\n", "\u00e9: 1\n", "a" * 200 + ": 1\n", "a" * 1100 + ": 1\n", "'" + "b" * 1100 + "': 1\n", "? " + "c" * 1100 + "\n: 1\n", "[" * 100 + "]" * 100, "a: 99999999999999999999\n",
    "task: t\ndataset_path: a/b\noutput_type: multiple_choice\ndoc_to_text: \"{{question}}\\nAnswer:\"\ndoc_to_choice: [\"A\", 'B', no]\nmetric_list:\n  - metric: acc\n    aggregation: mean\n    higher_is_better: true\ngeneration_kwargs:\n  until:\n    - \"\\n\"\n    - '</s>'\n  temperature: 0.0\n  max_gen_toks: 1_024\nprocess_docs: !function utils.f\nmetadata:\n  version: 1.0\n",
]

# Where tare departs on purpose (src/text/yaml.h).
DEPARTURES = {
    "v: =\n": "{'v': '='}",
    "v: <<\n": "{'v': '<<'}",
    "- &a 1\n- &a 2\n- *a\n": "[1, 2, 2]",
    "a: 99999999999999999999\n": None,
    "a: &x [*x]\n": None,
    "a: &x {b: *x}\n": None,
    "a: !!set {b}\n": None,
    "a: !!omap [b: 1]\n": None,
    "a: !!binary aGk=\n": None,
    "a: \"\\uD800\"\n": None,
    "a: !!str [1]\n": None,
}


def plain(value):
    """The value as tare has it: dates as text, times without a zone."""
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, datetime.datetime):
        return value if value.tzinfo is None else value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    if isinstance(value, datetime.date):
        return str(value)
    return value


def outcome(text):
    if text in DEPARTURES:
        return DEPARTURES[text]
    try:
        return repr(plain(yaml.load(text, Loader=Loader)))
    except (yaml.YAMLError, ValueError, KeyError, TypeError, AttributeError):
        return None


def main():
    texts = [f"v: {text}\n" for text in PLAIN] + DOCUMENTS + [text for text in DEPARTURES if text not in DOCUMENTS]
    cases = [{"text": text, "repr": outcome(text)} for text in dict.fromkeys(texts)]
    source = f"PyYAML {yaml.__version__}, libyaml {yaml._yaml.get_version_string()}; null where it refuses"
    lines = ",\n".join(json.dumps(case) for case in cases)
    target = pathlib.Path(__file__).with_name("cases.json")
    target.write_text(f'{{"source": {json.dumps(source)}, "cases": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
