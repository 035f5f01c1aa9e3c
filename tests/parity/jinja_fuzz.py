"""Random templates through jinja2 and through tare.

    jinja_fuzz.py JINJA_CAT [COUNT [SEED]]     (default: 50000 templates, seed 1)

Prints each difference that is not explained, and the number of each kind. Explained are: text that
holds a memory address (tare refuses to print it), integers outside 64 bits (tare raises), what tare
refuses as not built in, and constants that jinja2 evaluates, and fails to, when it compiles.
"""

import collections
import copy
import random
import re
import sys

from jinja_reference import Cat, close, differs, reference

VARIABLES = {
    "i": 3, "j": -2, "z": 0, "f": 2.5, "g": -0.1, "t": True, "n": None, "s": "hello World",
    "e": "", "u": "Ünï 日本ß", "q": "it's \"q\"", "m": " pad\t\n", "w": "a,b;c a b", "num": "42",
    "x": "<b>&'", "l": [3, 1, 2], "k": ["b", "a", "C", ""], "nl": [[1, 2], [], ["x"]],
    "mix": [1, "a", None, 2.5, True, [0]], "d": {"a": 1, "b": [1, 2], "items": "key"},
    "rows": [{"n": 2, "k": "b"}, {"n": 1, "k": "A"}, {"n": 2, "k": "a"}],
    "dd": {"x": {"y": {"z": "deep"}}, "1": 2},
}
NAMES = list(VARIABLES) + ["undef", "v", "range", "dict"]
STRINGS = ["''", "'a'", "' '", "'l'", "\"it's\"", "'\\n'", "'\\u00e9'", "'%s'", "'%d-%s'", "'{}'",
           "'{:>5}'", "'a.b'", "'0'", "','", "'日'", "'\\x41'", "'n'", "'upper'", "'b' 'c'"]
NUMBERS = ["0", "1", "2", "-1", "10", "3", "1.5", "0.0", "1e3", "100", "1_000", "0x1f", "7"]
BINARY = ["+", "-", "*", "/", "//", "%", "**", "~"]
COMPARE = ["==", "!=", "<", "<=", ">", ">=", "in", "not in"]
STR_METHODS = [
    ("upper", 0), ("lower", 0), ("strip", 0), ("strip", 1), ("lstrip", 1), ("rstrip", 0),
    ("split", 0), ("split", 1), ("split", 2), ("rsplit", 2), ("splitlines", 0), ("join", 1),
    ("replace", 2), ("replace", 3), ("startswith", 1), ("endswith", 1), ("find", 1), ("rfind", 2),
    ("index", 1), ("count", 1), ("title", 0), ("capitalize", 0), ("swapcase", 0), ("isdigit", 0),
    ("isalpha", 0), ("isspace", 0), ("isupper", 0), ("zfill", 1), ("ljust", 1), ("rjust", 2),
    ("center", 1), ("partition", 1), ("rpartition", 1), ("removeprefix", 1), ("format", 2),
    ("expandtabs", 0), ("casefold", 0), ("isalnum", 0), ("istitle", 0), ("isnumeric", 0),
]
OTHER_METHODS = [
    ("items", 0), ("keys", 0), ("values", 0), ("get", 1), ("get", 2), ("append", 1), ("pop", 0),
    ("pop", 1), ("index", 1), ("count", 1), ("extend", 1), ("insert", 2), ("copy", 0), ("sort", 0),
    ("reverse", 0), ("update", 1), ("setdefault", 2), ("remove", 1), ("clear", 0), ("popitem", 0),
    ("is_integer", 0), ("bit_length", 0),
]
FILTERS = [
    ("abs", 0), ("attr", 1), ("batch", 1), ("batch", 2), ("capitalize", 0), ("center", 1),
    ("count", 0), ("d", 1), ("default", 2), ("dictsort", 0), ("dictsort", 2), ("e", 0),
    ("escape", 0), ("filesizeformat", 0), ("first", 0), ("float", 0), ("float", 1),
    ("forceescape", 0), ("format", 2), ("groupby", 1), ("indent", 0), ("indent", 2), ("int", 0),
    ("int", 1), ("int", 2), ("items", 0), ("join", 0), ("join", 1), ("last", 0), ("length", 0),
    ("list", 0), ("lower", 0), ("map", 1), ("max", 0), ("min", 0), ("reject", 0), ("reject", 1),
    ("regex_replace", 2), ("rejectattr", 1), ("replace", 2), ("replace", 3), ("reverse", 0), ("round", 0), ("round", 1),
    ("safe", 0), ("select", 0), ("select", 1), ("selectattr", 1), ("slice", 1), ("slice", 2),
    ("sort", 0), ("sort", 1), ("string", 0), ("sum", 0), ("title", 0), ("tojson", 0),
    ("tojson", 1), ("trim", 0), ("trim", 1), ("truncate", 1), ("truncate", 2), ("unique", 0),
    ("upper", 0), ("urlencode", 0), ("wordcount", 0), ("wordwrap", 1), ("xmlattr", 0),
]
KEYWORDS = {
    "sort": ["reverse=true", "attribute='n'", "case_sensitive=true", "attribute='k,n'"],
    "map": ["attribute='n'", "attribute='k', default='-'", "'upper'", "'default', 'x'", "'string'"],
    "join": ["', '", "attribute='k'", "d='-', attribute='n'"], "groupby": ["'n'", "'k'", "0"],
    "sum": ["attribute='n'", "start=5"], "max": ["attribute='n'"], "min": ["attribute='k'"],
    "indent": ["width=2", "first=true", "'>', blank=true"], "tojson": ["indent=2"],
    "select": ["'odd'", "'string'", "'in', l", "'>', 1", "'defined'"], "reject": ["'none'", "'eq', 2"],
    "selectattr": ["'n'", "'n', 'eq', 2", "'k', 'in', k"], "rejectattr": ["'n', '>', 1"],
    "truncate": ["length=5", "4, true, '', 0", "5, leeway=0", "7, false, '..'"],
    "wordwrap": ["width=5", "4, false", "6, wrapstring='|'"], "unique": ["case_sensitive=true"],
    "dictsort": ["by='value'", "reverse=true"], "round": ["precision=1", "method='ceil'",
                                                         "1, 'floor'", "-1"],
    "default": ["'x', true", "default_value=1"], "batch": ["2, '-'", "linecount=2"],
    "int": ["default=7", "base=16"], "replace": ["'l', 'L'", "old='a', new='b'"],
    "regex_replace": ["'[a-l]+', '<\\\\g<0>>'", "'\\\\s*', '_', 2", "pattern='(.)\\\\1', repl=''"],
}
TESTS = ["odd", "even", "defined", "undefined", "none", "boolean", "true", "false", "integer",
         "float", "lower", "upper", "string", "mapping", "number", "sequence", "iterable",
         "callable", "escaped", "divisibleby 2", "divisibleby(i)", "eq 1", "ne 'a'", "lt 2",
         "ge(1)", "in l", "in 'hello'", "sameas none", "filter", "test", "equalto s"]
LOOP = ["index", "index0", "revindex", "revindex0", "first", "last", "length", "depth", "previtem",
        "nextitem", "cycle('o', 'e')", "changed(v)", "changed(loop.index0 // 2)"]


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.loops = 0

    def pick(self, options):
        return self.rng.choice(options)

    def expr(self, depth):
        if depth <= 0:
            return self.atom()
        makers = [
            (4, self.atom), (4, self.method), (5, self.filter), (3, self.binary), (3, self.compare),
            (2, self.logic), (2, self.test), (2, self.subscript), (2, self.attribute),
            (1, self.ternary), (1, self.unary), (1, self.container), (1, self.call),
        ]
        total = sum(weight for weight, _ in makers)
        at = self.rng.randrange(total)
        for weight, make in makers:
            at -= weight
            if at < 0:
                return make() if make == self.atom else make(depth - 1)
        raise AssertionError

    def atom(self):
        kind = self.rng.randrange(10)
        if kind < 6:
            if self.loops and kind == 0:
                return "loop." + self.pick(LOOP)
            return self.pick(NAMES)
        if kind < 8:
            return self.pick(STRINGS)
        return self.pick(NUMBERS)

    def likely(self, depth):
        """An expression, or a name whose type suits what is done with it."""
        return self.pick(["s", "u", "l", "k", "d", "rows", "w", "q"]) if self.rng.random() < .5 \
            else self.paren(depth)

    def paren(self, depth):
        text = self.expr(depth)
        return text if re.fullmatch(r"\w+|'[^']*'", text) else f"({text})"

    def args(self, count, depth):
        return ", ".join(self.expr(min(depth, 1)) for _ in range(count))

    def method(self, depth):
        name, count = self.pick(STR_METHODS if self.rng.random() < .7 else OTHER_METHODS)
        if count and self.rng.random() < .6:
            args = ", ".join(self.pick(["' '", "','", "'l'", "1", "2", "'a'", "-1", "10", "k"])
                             for _ in range(count))
        else:
            args = self.args(count, depth)
        return f"{self.likely(depth)}.{name}({args})"

    def filter(self, depth):
        name, count = self.pick(FILTERS)
        if name in KEYWORDS and self.rng.random() < .6:
            args = f"({self.pick(KEYWORDS[name])})"
        else:
            args = f"({self.args(count, depth)})" if count else ""
        text = f"{self.likely(depth)}|{name}{args}"
        if name in ("map", "select", "reject", "selectattr", "rejectattr", "unique", "batch",
                    "slice", "items", "reverse") and self.rng.random() < .8:
            text += self.pick(["|list", "|join", "|join(',')", "|first", "|list|length"])
        return text

    def binary(self, depth):
        op = self.pick(BINARY)
        # jinja2 writes a negative constant to the power of a variable without parentheses: -2 ** x.
        left = self.pick(["i", "j", "z", "f", "g", "s"]) if op == "**" else self.paren(depth)
        return f"{left} {op} {self.paren(depth)}"

    def compare(self, depth):
        text = f"{self.paren(depth)} {self.pick(COMPARE)} {self.paren(depth)}"
        return text if self.rng.random() < .8 else f"{text} {self.pick(COMPARE)} {self.paren(depth)}"

    def logic(self, depth):
        if self.rng.random() < .3:
            return f"not {self.paren(depth)}"
        return f"{self.expr(depth)} {self.pick(['and', 'or'])} {self.expr(depth)}"

    def test(self, depth):
        return f"{self.paren(depth)} is {self.pick(['', '', 'not '])}{self.pick(TESTS)}"

    def subscript(self, depth):
        index = self.pick(["0", "-1", "1", "i", "'a'", "'k'", "1:", ":2", "::2", "::-1", "1:-1",
                           "-2:", "i:j", "'items'", "f", "none", "0, 1"])
        return f"{self.likely(depth)}[{index if self.rng.random() < .8 else self.expr(depth)}]"

    def attribute(self, depth):
        return f"{self.likely(depth)}.{self.pick(['a', 'b', 'items', 'x', 'y', '0', 'n', 'upper'])}"

    def ternary(self, depth):
        text = f"{self.expr(depth)} if {self.expr(depth)}"
        return text if self.rng.random() < .3 else f"{text} else {self.expr(depth)}"

    def unary(self, depth):
        return self.pick(["-", "+"]) + self.paren(depth)

    def container(self, depth):
        items = [self.expr(depth) for _ in range(self.rng.randint(0, 3))]
        kind = self.rng.randrange(3)
        if kind == 0:
            return "[" + ", ".join(items) + "]"
        if kind == 1:
            return "(" + "".join(item + ", " for item in items) + ")"
        return "{" + ", ".join(f"{self.pick(STRINGS + NUMBERS)}: {item}" for item in items) + "}"

    def call(self, depth):
        name = self.pick(["range", "range", "dict", "mac", "namespace", "joiner", "cycler"])
        if name == "dict":
            return f"dict(a={self.expr(depth)}, b=1)"
        if name == "namespace":
            return f"namespace(a={self.expr(depth)}).a"
        if name == "range":
            return f"range({self.pick(['3', 'i', '1, 4', '5, 0, -2', self.expr(0)])})|list"
        if name == "joiner":
            return "joiner('|')()"
        if name == "cycler":
            return f"cycler({self.args(2, depth)}).next()"
        return f"mac({self.args(self.rng.randint(0, 3), depth)})"

    def body(self, depth):
        return "".join(self.piece(depth) for _ in range(self.rng.randint(1, 3)))

    def tag(self, text):
        left, right = self.pick(["", "", "", "-"]), self.pick(["", "", "", "-"])
        return "{%" + left + f" {text} " + right + "%}"

    def piece(self, depth):
        makers = [self.text, self.output, self.output]
        if depth > 0:
            makers += [self.if_tag, self.for_tag, self.set_tag, self.with_tag, self.macro_tag,
                       self.filter_tag, self.set_block, self.call_tag, self.output, self.comment]
        make = self.pick(makers)
        return make() if make == self.text or make == self.comment else make(depth - 1)

    def text(self):
        return self.pick(["text", " ", "\n", "  \n ", "a b", "é", "{", "}}x", "%}", "\r\n", "#"])

    def comment(self):
        return self.pick(["{# c #}", "{#- c -#}", "{#-x#}", " {# a\nb #} ",
                          "{% raw %}{{ x }}{% endraw %}", "{%- raw -%} {% x {%- endraw -%} "])

    def output(self, depth):
        left, right = self.pick(["", "", "-"]), self.pick(["", "", "-"])
        return "{{" + left + f" {self.expr(max(depth, 1))} " + right + "}}"

    def if_tag(self, depth):
        out = self.tag("if " + self.expr(depth)) + self.body(depth)
        if self.rng.random() < .3:
            out += self.tag("elif " + self.expr(depth)) + self.body(depth)
        if self.rng.random() < .5:
            out += self.tag("else") + self.body(depth)
        return out + self.tag("endif")

    def for_tag(self, depth):
        head = self.pick([
            f"for v in {self.likely(depth)}", f"for v in {self.pick(['l', 'k', 'rows', 's', 'd'])}",
            "for v, w in d.items()", "for v in range(3)", f"for v in l if {self.expr(depth)}",
            "for v, x in nl", "for v in rows if v.n == 2", "for v in nl recursive"])
        self.loops += 1
        out = self.tag(head) + self.body(depth)
        if "recursive" in head:
            out += "{{ loop(v) if v is iterable and v is not string and loop.depth < 3 }}"
        self.loops -= 1
        if self.rng.random() < .3:
            out += self.tag("else") + self.body(depth)
        return out + self.tag("endfor")

    def set_tag(self, depth):
        target = self.pick(["v", "i", "s", "l", "v, w", "ns.a", "nn"])
        value = self.expr(depth)
        if target == "ns.a":
            return self.tag("set ns = namespace(a=1)") + self.tag(f"set ns.a = {value}") + "{{ ns.a }}"
        if target == "v, w":
            value = f"{value}, {self.expr(depth)}" if self.rng.random() < .7 else value
        return self.tag(f"set {target} = {value}")

    def set_block(self, depth):
        return self.tag("set v" + self.pick(["", " | upper", " | trim | title"])) + \
            self.body(depth) + self.tag("endset") + "{{ v }}"

    def with_tag(self, depth):
        return self.tag(f"with v = {self.expr(depth)}, x = {self.expr(depth)}") + self.body(depth) + \
            self.tag("endwith")

    def macro_tag(self, depth):
        head = self.pick(["mac(a, b=2)", "mac()", "mac(v=i, w=v)", "mac(a, b='x', c=none)"])
        extra = self.pick(["", "", "{{ varargs }}", "{{ kwargs }}", "{{ caller() }}", "{{ a }}{{ b }}"])
        return self.tag("macro " + head) + self.body(depth) + extra + self.tag("endmacro") + \
            "{{ mac(" + self.pick(["", "1", "1, 2", "a=3", "1, 2, 3, 4", "*l", "**{'b': 5}"]) + ") }}"

    def filter_tag(self, depth):
        return self.tag("filter " + self.pick(["upper", "trim", "replace('a', 'b')", "lower",
                                               "indent", "upper|lower", "center(20)"])) + \
            self.body(depth) + self.tag("endfilter")

    def call_tag(self, depth):
        return self.tag("macro cm(a)") + "<{{ caller(" + self.pick(["", "a", "1, 2"]) + ") }}>" + \
            self.tag("endmacro") + \
            self.tag(self.pick(["call cm(1)", "call(v) cm(i)", "call(v=2) cm(a=1)"])) + \
            self.body(depth) + self.tag("endcall")


def options_for(rng):
    kind = rng.randrange(8)
    if kind == 0:
        return {"trim_blocks": True}
    if kind == 1:
        return {"lstrip_blocks": True, "trim_blocks": True}
    if kind == 2:
        return {"strip_trailing_newline": True}
    return {}


def explained(theirs, ours):
    if re.search(r" at 0x[0-9a-f]+", theirs.get("output", "")):
        return "address"
    if ours.get("error") in ("Unsupported", "Limit"):
        return ours["error"].lower()
    if theirs.get("compiling") and theirs["error"] != "TemplateSyntaxError":
        return "folded constant"
    if "64 bits" in ours.get("message", ""):
        return "big integer"
    return None


def main():
    cat = Cat(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 50000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    counts = collections.Counter()
    for number in range(count):
        rng = random.Random(seed * 1_000_003 + number)
        template = Maker(rng).body(rng.choice([0, 0, 1, 1, 2, 3]))
        options = options_for(rng)
        theirs = reference(template, copy.deepcopy(VARIABLES), options)
        ours = cat(template, VARIABLES, options)
        counts["rendered" if "output" in theirs else "raised"] += 1
        kind = differs(theirs, ours)
        if kind is None:
            continue
        reason = explained(theirs, ours)
        counts[f"explained: {reason}" if reason else f"differences: {kind}"] += 1
        if reason is None:
            print(f"{kind} #{number}: {template!r} {options}\n  {theirs}\n  {ours}")
    return close(counts)


if __name__ == "__main__":
    sys.exit(main())
