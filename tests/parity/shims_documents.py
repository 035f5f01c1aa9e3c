"""Makes documents for a helper function: reads in its source which columns it uses and how."""

import ast
import json
import random
from pathlib import Path

import shims_families

STRINGS = [
    "", " ", "A", "b", "0", "1", "2", "Yes", "no", "a word", "Two words.", "It's \"quoted\"", " leading", "trailing ",
    "new\nline", "tab\there", "ünïcode ß", "السؤال", "日本語", "x_y _ z", "1,234.5", "$\\boxed{3}$", "#### 42", "{brace}",
    "a [title] b  c [x] d", "The answer is (B).", "İstanbul", "ends.", "5", "3.5", "[1, 2]", "['a', 'b', 'c', 'd']",
]
MANY = ["first", "second one", "third's", "Fourth.", "fifth", "sixth", "7", "eighth", "nine", "ten", "XI", "12"]
TEXT_METHODS = {
    "strip", "lower", "upper", "replace", "split", "format", "capitalize", "startswith", "endswith", "rstrip", "lstrip",
    "title", "removeprefix", "removesuffix", "find", "rfind", "join", "encode", "splitlines", "isdigit", "translate",
}


class Shape:
    """What is known of a value: the keys it is asked for, its items, whether it is text or a number."""

    def __init__(self):
        self.keys = {}
        self.element = None
        self.text = self.number = self.literal = self.mapping = False
        self.constants = []

    def key(self, name):
        return self.keys.setdefault(name, Shape())

    def item(self):
        self.element = self.element or Shape()
        return self.element


class Reader(ast.NodeVisitor):
    """Follows the document through a function and what it calls."""

    def __init__(self, module, root):
        self.functions = {n.name: n for n in ast.walk(module) if isinstance(n, ast.FunctionDef)}
        self.names = {}
        self.root = root
        self.depth = 0
        self.datasets = set()

    def function(self, node, shapes):
        """Reads a function whose parameters have these shapes."""
        if self.depth > 4:
            return
        outer, self.names = self.names, dict(self.names)
        self.depth += 1
        for parameter, shape in zip(node.args.args, shapes):
            if shape is not None:
                self.names[parameter.arg] = shape
        for statement in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(statement)
        self.depth -= 1
        self.names = outer

    def visit_FunctionDef(self, node):
        pass  # read where it is called

    def shape(self, node):
        """The shape of an expression that is part of the document, or None."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id)
        if isinstance(node, ast.Subscript):
            return self.subscript(node)
        if isinstance(node, ast.BoolOp) or isinstance(node, ast.IfExp):
            parts = node.values if isinstance(node, ast.BoolOp) else [node.body, node.orelse]
            return next((s for s in map(self.shape, parts) if s is not None), None)
        if isinstance(node, ast.Call):
            return self.called(node)
        return None

    def subscript(self, node):
        shape = self.shape(node.value)
        if shape is None:
            return None
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return shape.key(node.slice.value)
        if isinstance(node.slice, ast.JoinedStr):
            for number in list(range(26)) + list("abcdABCD"):
                text = "".join(str(v.value) if isinstance(v, ast.Constant) else str(number) for v in node.slice.values)
                shape.key(text)
            return shape.key(text)
        if isinstance(node.slice, ast.Slice):
            return shape
        if isinstance(node.slice, ast.Name) and node.slice.id in self.loops:
            for name in self.loops[node.slice.id]:
                last = shape.key(name)
            return last
        return shape.item()

    loops = {}

    def called(self, node):
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("literal_eval", "loads") and node.args:
            inner = self.shape(node.args[0])
            if inner is not None:
                inner.literal = node.func.attr
            return inner
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("array", "asarray") and node.args:
            inner = self.shape(node.args[0])
            if inner is not None:
                inner.item().constants += [0, 1]
            return inner
        if isinstance(node.func, ast.Attribute):
            owner = self.shape(node.func.value)
            if owner is None:
                return None
            if node.func.attr in ("get", "pop") and node.args and isinstance(node.args[0], ast.Constant):
                return owner.key(node.args[0].value)
            if node.func.attr in TEXT_METHODS:
                owner.text = True
                return owner
            if node.func.attr in ("keys", "items", "values"):
                owner.mapping = True
                return Shape() if node.func.attr == "keys" else owner
        if isinstance(node.func, ast.Name) and node.args:
            inner = self.shape(node.args[0])
            if inner is not None and node.func.id in ("str", "list", "enumerate", "sorted", "reversed", "tuple"):
                return inner
        return None

    def visit_Assign(self, node):
        self.generic_visit(node)
        shape = self.shape(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name):
                if shape is not None:
                    self.names[target.id] = shape
                elif target.id in self.names and not isinstance(node.value, ast.Call):
                    del self.names[target.id]

    def iterate(self, target, iterable):
        source = self.shape(iterable)
        if isinstance(iterable, (ast.List, ast.Tuple)) and isinstance(target, ast.Name):
            names = [e.value for e in iterable.elts if isinstance(e, ast.Constant)]
            if names:
                self.loops = {**self.loops, target.id: names}
            return
        targets = target.elts if isinstance(target, ast.Tuple) else [target]
        sources = [source]
        if isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name):
            if iterable.func.id == "zip":
                sources = [self.shape(a) for a in iterable.args]
            if iterable.func.id == "enumerate":
                inner = iterable.args[0]
                if isinstance(inner, (ast.List, ast.Tuple)) and len(targets) > 1 and isinstance(targets[1], ast.Name):
                    names = [e.value for e in inner.elts if isinstance(e, ast.Constant)]
                    self.loops = {**self.loops, targets[1].id: names} if names else self.loops
                sources = [None, self.shape(inner)]
        for name, shape in zip(targets, sources):
            if shape is not None and isinstance(name, ast.Name):
                self.names[name.id] = shape.item()

    def visit_For(self, node):
        self.iterate(node.target, node.iter)
        self.generic_visit(node)

    def comprehension(self, node):
        for clause in node.generators:
            self.iterate(clause.target, clause.iter)
        self.generic_visit(node)

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = comprehension

    def visit_Compare(self, node):
        self.generic_visit(node)
        left, right = node.left, node.comparators[0]
        if isinstance(node.ops[0], (ast.In, ast.NotIn)) and self.shape(right) is not None:
            if isinstance(left, ast.Constant):
                self.shape(right).text = True
            elif not self.shape(right).text and isinstance(left, ast.Call):
                self.shape(right).item().constants += [0, 1, 2, 3]
        for one, other in ((left, right), (right, left)):
            shape = self.shape(one)
            if shape is None:
                continue
            values = other.elts if isinstance(other, (ast.List, ast.Tuple, ast.Set)) else [other]
            for value in values:
                try:
                    shape.constants.append(ast.literal_eval(value))
                except (ValueError, SyntaxError):
                    pass
            if isinstance(node.ops[0], (ast.Gt, ast.Lt, ast.GtE, ast.LtE)):
                shape.number = True

    def visit_BinOp(self, node):
        self.generic_visit(node)
        for side, other in ((node.left, node.right), (node.right, node.left)):
            shape = self.shape(side)
            if shape is None or not isinstance(node.op, (ast.Add, ast.Sub)):
                continue
            method = other.func.attr if isinstance(other, ast.Call) and isinstance(other.func, ast.Attribute) else ""
            if method in TEXT_METHODS or isinstance(other, (ast.JoinedStr,)) or isinstance(other, ast.Constant) and isinstance(other.value, str):
                shape.text = True
            elif isinstance(other, ast.Constant) or isinstance(node.op, ast.Sub):
                shape.number = True

    def visit_Call(self, node):
        self.shape(node)
        callee = node.func
        name = callee.id if isinstance(callee, ast.Name) else callee.attr if isinstance(callee, ast.Attribute) else ""
        shapes = [self.shape(argument) for argument in node.args]
        if isinstance(callee, ast.Attribute) and name in ("map", "filter") and isinstance(callee.value, (ast.Name, ast.Call, ast.Attribute)):
            for argument in list(node.args[:1]) + [k.value for k in node.keywords if k.arg == "function"]:
                if isinstance(argument, ast.Lambda):
                    self.function(argument, [self.root])
                elif isinstance(argument, ast.Name) and argument.id in self.functions:
                    self.function(self.functions[argument.id], [self.root])
        elif name in self.functions and any(shape is not None for shape in shapes):
            self.function(self.functions[name], shapes)
        if name in ("sub", "search", "findall", "match") and shapes and shapes[-1] is not None:
            shapes[-1].text = True
        if name == "len" and shapes and shapes[0] is not None and not shapes[0].keys:
            shapes[0].item()
        self.generic_visit(node)

    def visit_Subscript(self, node):
        if self.shape(node) is None:
            index = self.shape(node.slice) if not isinstance(node.slice, ast.Slice) else None
            if index is not None and isinstance(node.value, ast.Dict):
                index.constants += [k.value for k in node.value.keys if isinstance(k, ast.Constant)]
            if index is not None and isinstance(node.value, ast.Name):
                index.constants += self.tables.get(node.value.id, [])
        self.generic_visit(node)

    tables = {}


def constant_tables(module):
    """{name: keys or values} of the dicts and lists that a module writes down."""
    tables = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if isinstance(node.value, ast.Dict):
                tables[node.targets[0].id] = [k.value for k in node.value.keys if isinstance(k, ast.Constant)]
            elif isinstance(node.value, ast.List):
                tables[node.targets[0].id] = list(range(len(node.value.elts)))
    return tables


class Maker:
    """Makes the arguments of one function."""

    def __init__(self, file, function, rng):
        source = Path(file).read_text(encoding="utf-8")
        module = ast.parse(source)
        self.rng = rng
        self.file, self.name = Path(file), function
        self.folder = Path(file).parent.name
        self.root = Shape()
        reader = Reader(module, self.root)
        reader.tables = constant_tables(module)
        self.kwargs = {}
        name = self.follow(module, function)
        if name in reader.functions:
            node = reader.functions[name]
            reader.function(node, [self.root] + [None] * 4)
        self.pool = [n.value for n in ast.walk(module) if isinstance(n, ast.Constant) and isinstance(n.value, (str, int))
                     and len(str(n.value)) < 60]
        self.more_keys = [str(k) for keys in reader.tables.values() for k in keys][:40]
        words = function.lower().replace("_", "")
        squeeze = lambda text: "".join(c for c in str(text).lower() if c.isalnum())
        self.likely = [function.split("_", 1)[-1]] + [c for c in self.pool if len(squeeze(c)) > 2 and squeeze(c) in words]

    def follow(self, module, function):
        """The def behind a name that a partial, an alias or a generated name stands for."""
        defined = {n.name for n in module.body if isinstance(n, ast.FunctionDef)}
        for node in module.body:
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == function for t in node.targets):
                if isinstance(node.value, ast.Call) and node.value.args and isinstance(node.value.args[0], ast.Name):
                    return self.follow(module, node.value.args[0].id)
                if isinstance(node.value, ast.Name):
                    return self.follow(module, node.value.id)
                if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name):
                    return node.value.func.id
        if function not in defined:
            changes = [n.name for n in module.body if isinstance(n, ast.FunctionDef)
                       and any(isinstance(a, ast.Attribute) and a.attr in ("filter", "map") for a in ast.walk(n))]
            return "process_docs" if "process_docs" in changes else changes[0] if changes else function
        return function

    # Values.

    def text(self):
        rng = self.rng
        if self.likely and rng.random() < 0.5:
            return rng.choice(self.likely)
        if self.pool and rng.random() < 0.3:
            return str(rng.choice(self.pool))
        return rng.choice(STRINGS) if rng.random() < 0.7 else rng.choice(MANY) + " " + rng.choice(STRINGS)

    def scalar(self):
        rng = self.rng
        if self.pool and rng.random() < 0.4:
            return rng.choice(self.pool)
        if rng.random() < 0.75:
            return self.text()
        return rng.choice([0, 1, 2, 3, -1, 7, 2.5, True, False, None])

    def value(self, shape, wild):
        rng = self.rng
        if shape.literal:
            inner = Shape()
            inner.__dict__.update(shape.__dict__, literal=False)
            if not inner.keys and inner.element is None:
                inner.item()
            made = self.value(inner, wild)
            return json.dumps(made) if shape.literal == "loads" else repr(made)
        if shape.mapping:
            keys = list(shape.keys) + [str(c) for c in rng.sample(self.pool, min(len(self.pool), rng.choice([0, 1, 2])))]
            keys += self.more_keys
            return {key: self.value(shape.keys.get(key) or shape.element or Shape(), wild)
                    for key in rng.sample(sorted(set(keys)), min(len(set(keys)), rng.choice([1, 2, 2, 3, 4])))}
        if shape.constants and rng.random() < 0.75:
            return rng.choice(shape.constants)
        if shape.keys:
            return {name: self.value(inner, wild) for name, inner in shape.keys.items()}
        if shape.element is not None and not shape.text:
            size = rng.choice([4, 4, 4, 5, 3, 2, 1, 0])
            return [self.value(shape.element, wild) for _ in range(size)]
        if shape.number:
            return rng.choice([0, 1, 2, 3, 4, 5.5, 0.25])
        if wild < 0.1 and rng.random() < 0.3:
            return None
        if wild < 0.55 or shape.text:
            return self.text()
        if wild < 0.75:
            return rng.choice([0, 1, 2, 3])
        if wild < 0.85:
            return rng.choice(["0", "1", "2", "3", "A", "B"])
        return rng.choice([self.scalar(), [self.text() for _ in range(4)]])

    def problems(self):
        """RACE keeps a list of problems as the text of a Python literal."""
        made = [{"question": self.rng.choice(["Why?", "He said  _  .", "It is  _  ."]), "answer": self.rng.choice("ABCD"),
                 "options": [self.text() for _ in range(4)]} for _ in range(self.rng.choice([1, 2, 4]))]
        return {"article": self.text(), "problems": repr(made), "unused": None}

    def document(self):
        if "problems" in self.root.keys and "article" in self.root.keys or self.folder == "race":
            return self.problems()
        document = {"unused": self.text()}
        wild = self.rng.random()
        for name, shape in self.root.keys.items():
            each = wild if self.rng.random() < 0.6 else self.rng.random()
            document[name] = self.value(shape, each)
        return document

    # Arguments.

    def arguments(self, use, attempt):
        rng = self.rng
        fitting = shims_families.arguments_for(self.file, self.name, use, rng)
        if fitting is not None:
            return fitting
        if use == "documents":
            return [[self.document()] if attempt % 4 or attempt > 40
                    else same_columns([self.document() for _ in range(3)])]
        if use == "field":
            return [self.document()]
        if use == "results":
            document = self.document()
            return [document, self.responses(attempt, document)]
        if use == "aggregation":
            return [self.items(attempt)]
        if use == "metric":
            pair = lambda: rng.choice([[self.text()], [rng.choice(["A", "B"])], [rng.random()]])
            return [pair(), pair(), {}]
        if use == "filter":
            return [[[self.text() for _ in range(rng.choice([1, 2]))] for _ in range(3)],
                    [self.document() for _ in range(3)]]
        return [{}] if use == "custom_dataset" else []

    def responses(self, attempt, document):
        rng = self.rng
        sizes = lengths(document) or [2, 3, 4]
        kind = attempt % 6
        if kind == 0:
            return [(-10 * rng.random(), rng.random() < 0.5) for _ in range(rng.choice(sizes))]
        if kind == 1:
            return [self.text()]
        if kind == 2:
            return [-10 * rng.random() for _ in range(rng.choice([1, 2, 4]))]
        if kind == 3:
            return [[self.text()]]
        if kind == 4:
            return [rng.choice(["A", "B", "(A)", "The best answer is C.", "answer: 3", "yes"])]
        return [(-10 * rng.random(), rng.random() < 0.5) for _ in range(rng.choice([2, 2, 4, 5]))]

    def items(self, attempt):
        rng = self.rng
        size = rng.choice([1, 2, 5, 12, 40])
        makers = [
            lambda: (rng.randrange(4), rng.randrange(4)),
            lambda: rng.random(),
            lambda: (rng.choice(["a", "b", "c"]), rng.choice(["a", "b", "c"])),
            lambda: rng.randrange(2),
            lambda: (self.text(), self.text()),
            lambda: [rng.random(), rng.random()],
            lambda: ([rng.choice("abc") for _ in range(3)], [[rng.choice("abc") for _ in range(3)]]),
            lambda: (rng.choice(["a", "b"]), rng.choice([0.0, 1.0])),
            lambda: (rng.randrange(2), rng.randrange(2), rng.randrange(2), rng.randrange(2)),
            lambda: (rng.randrange(2), rng.choice([0, 1, 0.5, float("nan")]), rng.choice([0, 1, float("nan")]), rng.random() < 0.5),
            lambda: (rng.random() < 0.5, rng.random() < 0.5),
            lambda: {"a": rng.random(), "b": rng.randrange(3)},
            lambda: (rng.randrange(3), self.text(), self.text()),
        ]
        make = makers[attempt % len(makers)]
        return [make() for _ in range(size)]


def lengths(value):
    """Of all lists in a document."""
    if isinstance(value, dict):
        return [n for item in value.values() for n in lengths(item)]
    return [len(value)] if isinstance(value, list) else []


def same_columns(rows):
    """The rows that have the columns and types of the first one."""
    def kinds(value):
        if isinstance(value, dict):
            return {k: kinds(v) for k, v in value.items()}
        return "list" if isinstance(value, list) else "number" if isinstance(value, (int, float)) else "text"

    return [row for row in rows if kinds(row) == kinds(rows[0])]
