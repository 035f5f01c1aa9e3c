"""From shapes to rows. The same seed, path and split give the same rows everywhere."""

import hashlib
import json

# Texts with what has gone wrong somewhere: quotes of all kinds, line ends, backslashes, braces, wide and
# combining characters, scripts from right to left, white space that Python strips and C does not.
PHRASES = ["The cat sat on the mat.", "He said \"yes\" and left", "It's a dog's life", "Über straße, naïve façade",
           "two\nlines", "日本語のテキスト。", "русский текст", "नमस्ते दुनिया", "مرحبا بالعالم", "tab\there", "back\\slash \\n",
           "{{ braces }} {% not %}", "emoji 👩‍🔬🎉", "e\u0301 combining", "ends with space ", " starts with space",
           "no-break\u00a0space", "percent %s %d {0}", "'single' and \"double\"", "<b>markup</b> &amp; more",
           "1,234.50 dollars", "ΑΒΓ δέλτα", "한국어 문장", "sentence ends\n"]
PLAIN = [p for p in PHRASES if not set("'\"\\\n{}%[]") & set(p)]
REALS = [0.5, 1.0, -2.25, 1e-07, 3.141592653589793, 1e16, 0.1]


def digest(*parts):
    return int.from_bytes(hashlib.sha256("\0".join(map(str, parts)).encode()).digest()[:6], "big")


def rows_of(data, split, seed):
    """The rows of one split, as dictionaries in column order."""
    filtered = [shape for shape in data.columns.fields.values() if shape.filtered]
    options = [len(shape.values) + (len(shape.values) == 1) for shape in filtered]
    count, strides = 1, {}
    for shape, size in zip(filtered, options):
        strides[id(shape)] = count
        count *= size
    each = data.rows if len(filtered) == 0 else max(6, data.rows - 2)
    return [Row(data, split, seed, number, strides).make() for number in range(min(count * each, 4000))]


class Row:
    def __init__(self, data, split, seed, number, strides):
        self.data, self.number, self.strides = data, number, strides
        self.key = (seed, data.path, split, number)
        self.made = {}
        self.length = max([4] + [shape.least for shape in walk(data.columns)])

    def make(self):
        fields = self.data.columns.fields
        later = [n for n, s in fields.items() if depends(s)]
        values = {n: self.value(s, n) for n, s in fields.items() if n not in later}
        for shape_name, shape in fields.items():
            if shape_name in values:
                self.made[id(shape)] = values[shape_name]
        for name in later:
            values[name] = self.value(fields[name], name)
            self.made[id(fields[name])] = values[name]
        return {name: values[name] for name in fields}

    def pick(self, size, *place):
        return digest(*self.key, *place) % size

    def value(self, shape, *place):
        result = self.whole(shape, *place)
        self.made[id(shape)] = result
        return result

    def whole(self, shape, *place):
        if shape.nullable and not shape.bounds and self.pick(3, "null", *place) == 0:
            return None
        if shape.constant is not None:
            return shape.constant
        if shape.json is not None:
            said = self.value(shape.json, *place)
            return repr(said) if shape.literal else json.dumps(said, ensure_ascii=False)
        if shape.kind == "struct":
            return {name: self.value(part, *place, name) for name, part in ordered(shape)}
        if shape.kind == "list":
            return self.list_of(shape, *place)
        return self.scalar(shape, *place)

    def list_of(self, shape, *place):
        values = [self.value(shape.items(), *place, i) for i in range(shape.length or self.length)]
        for constant in shape.contains:
            if constant not in values:
                values[self.pick(len(values), "contains", *place)] = constant
        return values

    def scalar(self, shape, *place):
        if shape.source is not None and isinstance(self.made.get(id(shape.source)), list):
            options = self.made[id(shape.source)]
            return options[self.pick(len(options), *place)]
        if shape.sources:
            options = [self.made[id(s)] for s in shape.sources if id(s) in self.made]
            if options:
                return options[self.pick(len(options), *place)]
        if shape.values:
            return self.among(shape, *place)
        if shape.bounds:
            return self.index(shape, *place)
        if shape.kind == "int":
            return self.pick(4, *place) + shape.offset
        if shape.kind == "float":
            return REALS[self.pick(len(REALS), *place)]
        if shape.kind == "bool":
            return self.pick(2, *place) == 1
        if shape.numeric:
            return str(self.pick(4, *place) + shape.offset)
        return self.text(shape, *place)

    def among(self, shape, *place):
        if shape.filtered:
            others = ["something else"] if len(shape.values) == 1 and isinstance(shape.values[0], str) else []
            options = shape.values + others
            return options[self.number // self.strides[id(shape)] % len(options)] if id(shape) in self.strides \
                else options[self.number % len(options)]
        options = of_one_kind(shape)
        if shape.kind == "int" and shape.bounds:
            options = [o for o in options if isinstance(o, int)] or options
        return options[self.pick(len(options), *place)]

    def index(self, shape, *place):
        sizes = [b if isinstance(b, int) else len(self.made.get(id(b)) or range(2)) for b in shape.bounds]
        number = self.pick(min(sizes), *place) + shape.offset
        return str(number) if shape.numeric and shape.kind != "int" or shape.kind == "str" else number

    def text(self, shape, *place):
        phrases = PLAIN if shape.plain else PHRASES
        phrase = phrases[self.pick(len(phrases), *place)]
        inside = "".join(f" {part} " for part in shape.contains if isinstance(part, str))
        return numbered(phrase, self.number) + inside


def numbered(phrase, number):
    """The phrase with the row's number in it, its first and last characters untouched where it has spaces."""
    words = phrase.split(" ")
    if len(words) < 3:
        return f"{phrase}{number}"
    return " ".join([*words[:2], str(number), *words[2:]])


def of_one_kind(shape):
    """Columns hold one type: the texts among the constants, or else the numbers."""
    if shape.kind in ("int", "bool"):
        kept = [v for v in shape.values if isinstance(v, (bool, int))]
        return kept or shape.values
    texts = [v for v in shape.values if isinstance(v, str)]
    return texts or shape.values


def ordered(shape):
    """Fields, those that depend on others last."""
    return sorted(shape.fields.items(), key=lambda item: depends(item[1]))


def depends(shape):
    return any(s.source is not None or s.sources or any(not isinstance(b, int) for b in s.bounds) for s in walk(shape))


def walk(shape):
    yield shape
    for part in shape.fields.values():
        yield from walk(part)
    if shape.element is not None:
        yield from walk(shape.element)
    if shape.json is not None:
        yield from walk(shape.json)
