"""A Python file's top level without running it: its functions, constants and partial() calls."""

import ast
from dataclasses import dataclass
from functools import lru_cache

DATASET = object()  # stands for the rows of a split


@dataclass(frozen=True)
class Constant:
    value: object


@dataclass(frozen=True)
class OneOf:
    """A parameter that is given each of these in turn."""

    values: tuple


@dataclass
class Closure:
    node: object  # FunctionDef or Lambda
    scope: dict
    bound: dict


@dataclass(frozen=True, eq=False)
class Deferred:
    """A name whose value is what a call at the top of the file returns."""

    node: object


@dataclass(frozen=True, eq=False)
class Pairs:
    """What iterating over zip() or enumerate() binds."""

    parts: tuple


class Module:
    def __init__(self, file):
        self.names = {}
        with open(file, encoding="utf-8") as stream:
            self.tree = ast.parse(stream.read())
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef):
                self.names.setdefault(node.name, Closure(node, {}, {}))
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef):
                self.names[node.name] = Closure(node, {}, {})
            elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if isinstance(target, ast.Name):
                    self.names[target.id] = self.constant(node.value)

    def constant(self, node):
        if isinstance(node, ast.Call) and name_of(node.func) == "partial":
            return self.partial(node)
        if isinstance(node, ast.Name):
            return self.names.get(node.id)
        if isinstance(node, ast.Call) and isinstance(self.names.get(name_of(node.func)), Closure):
            return Deferred(node)
        try:
            return Constant(ast.literal_eval(node))
        except (ValueError, SyntaxError, TypeError):
            return None

    def partial(self, node):
        inner = self.names.get(name_of(node.args[0]))
        if not isinstance(inner, Closure):
            return None
        bound = {word.arg: self.constant(word.value) for word in node.keywords if word.arg}
        parameters = [a.arg for a in inner.node.args.args]
        bound.update({name: self.constant(arg) for name, arg in zip(parameters, node.args[1:])})
        return Closure(inner.node, inner.scope, {**inner.bound, **bound})

    def text_lists(self):
        """Every text in a list or the keys of a mapping at the top of the file."""
        found = []
        for value in self.names.values():
            if isinstance(value, Constant) and isinstance(value.value, (list, tuple, dict)):
                items = list(value.value)
                found += [i for i in items if isinstance(i, str)]
                if isinstance(value.value, dict):
                    found += [i for v in value.value.values() if isinstance(v, list) for i in v if isinstance(i, str)]
        return tuple(dict.fromkeys(found))


@lru_cache(maxsize=None)
def module_of(file):
    try:
        return Module(file)
    except (OSError, SyntaxError):
        return None


def name_of(node):
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
