"""The table of known columns (known.json): what the tasks' code cannot tell of some data sets."""

from shapes import Shape


def apply_known(found, table):
    for data in found.values():
        for key in (data.path, f"{data.path}:{data.name}"):
            for column, facts in table.get(key, {}).items():
                if column == "":
                    data.rows = facts.get("rows", data.rows)
                elif facts is None:
                    data.columns.fields.pop(column, None)
                else:
                    data.columns.fields[column] = shape_of(completed(facts, data))


def completed(facts, data):
    """Facts that depend on the data set, spelt out."""
    if "filters" in facts:  # the values are what the names of the process_docs functions end in
        subjects = [name.removeprefix(facts["filters"]) for name in data.filters]
        return {"values": [form.format(s) for form in facts["forms"] for s in subjects], "filtered": True}
    if "pair" in facts:  # a struct with the two languages of the configuration's name
        return {"struct": dict.fromkeys(data.name.split("-"), "str")}
    return facts


def shape_of(facts):
    """A type name, or {"values": [...]}, {"list": facts}, {"struct": {...}}, {"json": facts}, {"index": n}, ..."""
    shape = Shape()
    if isinstance(facts, str):
        return shape.be(facts)
    if "values" in facts:
        shape.be(type(facts["values"][0]).__name__).holds(*facts["values"])
    if "constant" in facts:
        shape.be("list").constant = facts["constant"]
    if "index" in facts:
        shape.indexes(facts["index"])
    if "list" in facts:
        shape.items()
        shape.element = shape_of(facts["list"])
        shape.least, shape.length = facts.get("least", 0), facts.get("length")
    if "struct" in facts:
        shape.be("struct")
        shape.fields = {name: shape_of(part) for name, part in facts["struct"].items()}
    for kind in ("json", "literal"):
        if kind in facts:
            shape.be("str").json = shape_of(facts[kind])
            shape.literal = kind == "literal"
    if "contains" in facts:
        shape.contains = facts["contains"]
    shape.plain = facts.get("plain", False)
    shape.numeric = facts.get("numeric", False)
    shape.offset = facts.get("offset", 0)
    shape.filtered = facts.get("filtered", False)
    return shape
