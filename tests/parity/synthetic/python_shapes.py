"""Reads the columns that a task's Python functions need from their syntax trees, without running them."""

import ast

from python_modules import DATASET, Closure, Constant, Deferred, OneOf, Pairs, module_of, name_of
from shapes import Shape

TEXT_METHODS = {"strip", "lstrip", "rstrip", "split", "replace", "capitalize", "lower", "upper", "title", "splitlines",
                "startswith", "endswith", "encode", "find", "format", "isdigit", "isupper", "partition", "casefold"}
TEXT_FUNCTIONS = {"sub", "findall", "search", "match", "split", "compile", "finditer"}
DEPTH = 12


class Reader:
    """Interprets one function with a document or a split as its first argument."""

    def __init__(self, columns):
        self.columns = columns
        self.produced = set()
        self.mapping = 0  # inside a function given to map()
        self.depth = 0
        self.module = None
        self.filtering = False

    def read(self, function, first):
        self.module = module_of(function.file)
        if self.module is None:
            return
        closure = self.module.names.get(function.name)
        if isinstance(closure, Deferred):
            closure = self.value(closure.node, {})
        if isinstance(closure, Closure):
            self.call(closure, [first])
        elif isinstance(self.module.names.get("process_docs"), Closure) and first is DATASET:
            self.made_elsewhere(self.module.names["process_docs"])
        elif first is DATASET:
            for closure in [c for c in self.module.names.values() if isinstance(c, Closure)]:
                if closure.node.args.args and closure.node.args.args[0].arg in ("dataset", "docs", "ds"):
                    self.made_elsewhere(closure)

    def made_elsewhere(self, closure):
        """A function that only exists once the file has run: its parameters come from the file's lists."""
        options = OneOf(self.module.text_lists())
        parameters = [a.arg for a in closure.node.args.args]
        self.call(closure, [DATASET] + [options for _ in parameters[1:]])

    # -- calls

    def call(self, closure, arguments, keywords=None):
        if self.depth > DEPTH:
            return None
        self.depth += 1
        node = closure.node
        scope = dict(closure.scope)
        parameters = [a.arg for a in node.args.args]
        scope.update(dict.fromkeys(parameters))
        for name, default in zip(reversed(parameters), reversed(node.args.defaults)):
            scope[name] = self.value(default, {})
        scope.update(closure.bound)
        free = [p for p in parameters if p not in closure.bound]
        scope.update(zip(free, arguments))
        scope.update(keywords or {})
        result = self.value(node.body, scope) if isinstance(node, ast.Lambda) else self.block(node.body, scope)
        self.depth -= 1
        return result

    def block(self, statements, scope):
        result = None
        for statement in statements:
            found = self.statement(statement, scope)
            result = result if result is not None else found
        return result

    def statement(self, node, scope):
        if isinstance(node, ast.FunctionDef):
            scope[node.name] = Closure(node, scope, {})
            return None
        if isinstance(node, ast.Return):
            return self.value(node.value, scope) if node.value is not None else None
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            self.assign(node, scope)
            return None
        if isinstance(node, (ast.For, ast.AsyncFor)):
            self.bind(node.target, self.element(self.value(node.iter, scope)), scope)
            return self.block(node.body + node.orelse, scope)
        result = None
        for _, part in ast.iter_fields(node):
            for child in part if isinstance(part, list) else [part]:
                if isinstance(child, ast.stmt):
                    found = self.statement(child, scope)
                    result = result if result is not None else found
                elif isinstance(child, ast.expr):
                    self.value(child, scope)
                elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
                    self.block(child.body, scope)
        return result

    def assign(self, node, scope):
        value = self.value(node.value, scope) if node.value is not None else None
        if isinstance(node, ast.AugAssign):
            self.value(node.target, scope) if isinstance(node.target, ast.Name) else None
            return
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant) \
                    and self.value(target.value, scope) is self.columns:
                self.produced.add(target.slice.value)
            else:
                self.bind(target, value, scope)

    def bind(self, target, value, scope):
        if isinstance(target, ast.Name):
            if scope.get(target.id) is not self.columns or isinstance(value, Shape):
                scope[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            for position, part in enumerate(target.elts):
                self.bind(part, value[position] if isinstance(value, tuple) and position < len(value) else None, scope)

    def element(self, value):
        if isinstance(value, Pairs):
            return value.parts
        if value is DATASET:
            return self.columns
        if isinstance(value, Shape) and value is not self.columns and value.kind in (None, "list"):
            return value.items()
        if isinstance(value, Constant) and isinstance(value.value, (list, tuple)):
            return OneOf(tuple(v for v in value.value if isinstance(v, (str, int))))
        return value if isinstance(value, OneOf) else None

    # -- expressions

    def value(self, node, scope):
        handler = getattr(self, "on_" + type(node).__name__.lower(), None)
        if handler:
            return handler(node, scope)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child, scope)
        return None

    def on_constant(self, node, _):
        return Constant(node.value)

    def on_name(self, node, scope):
        return scope[node.id] if node.id in scope else self.module.names.get(node.id)

    def on_list(self, node, scope):
        parts = [self.value(part, scope) for part in node.elts]
        if all(isinstance(part, Constant) for part in parts):
            return Constant([part.value for part in parts])
        return tuple(parts)

    on_tuple = on_list

    def on_dict(self, node, scope):
        for value in node.values:
            self.value(value, scope)
        keys = [k.value for k in node.keys if isinstance(k, ast.Constant)]
        if self.mapping:
            self.produced.update(keys)
        try:
            return Constant(ast.literal_eval(node))
        except (ValueError, SyntaxError, TypeError):
            return None

    def on_joinedstr(self, node, scope):
        parts = []
        for part in node.values:
            parts.append(self.value(part.value if isinstance(part, ast.FormattedValue) else part, scope))
        if all(isinstance(p, Constant) for p in parts):
            return Constant("".join(str(p.value) for p in parts))
        options = [p for p in parts if isinstance(p, OneOf)]
        if len(options) == 1 and all(isinstance(p, (Constant, OneOf)) for p in parts):
            return OneOf(tuple("".join(str(o if p is options[0] else p.value) for p in parts)
                               for o in options[0].values))
        return None

    def on_lambda(self, node, scope):
        return Closure(node, scope, {})

    def on_listcomp(self, node, scope):
        inner = dict(scope)
        for generator in node.generators:
            self.bind(generator.target, self.element(self.value(generator.iter, inner)), inner)
            for test in generator.ifs:
                self.value(test, inner)
        self.value(node.elt, inner)

    on_generatorexp = on_setcomp = on_listcomp

    def on_dictcomp(self, node, scope):
        inner = dict(scope)
        for generator in node.generators:
            self.bind(generator.target, self.element(self.value(generator.iter, inner)), inner)
        self.value(node.key, inner)
        self.value(node.value, inner)

    def on_subscript(self, node, scope):
        value, index = self.value(node.value, scope), None
        if not isinstance(node.slice, ast.Slice):
            index = self.value(node.slice, scope)
        if isinstance(value, Shape):
            return self.part(value, node.slice, index)
        if isinstance(value, tuple):
            if isinstance(index, Shape):
                index.indexes(len(value))
            return value[index.value] if isinstance(index, Constant) and isinstance(index.value, int) \
                and -len(value) <= index.value < len(value) else None
        if isinstance(value, Constant) and isinstance(index, Shape):
            if isinstance(value.value, dict):
                index.holds(*value.value)
            elif isinstance(value.value, (list, str, tuple)):
                index.indexes(len(value.value))
        if isinstance(value, Constant) and isinstance(index, Constant):
            try:
                return Constant(value.value[index.value])
            except (LookupError, TypeError):
                return None
        return None

    def part(self, value, place, index):
        if isinstance(place, ast.Slice):
            return value
        if isinstance(index, Constant) and isinstance(index.value, str):
            return value.field(index.value)
        if isinstance(index, Constant) and isinstance(index.value, int):
            return value.at(index.value) if value is not self.columns else None
        if value is self.columns:
            return self.one_of(index)
        if isinstance(index, Shape):
            index.indexes(value)
        return value.items() if value.kind != "struct" else None

    def one_of(self, index):
        """Columns that a loop runs over: they are used alike, so they share a Shape."""
        names = [o for o in index.values if isinstance(o, str)] if isinstance(index, OneOf) else []
        shared = next((self.columns.fields[n] for n in names if n in self.columns.fields), Shape())
        for name in names:
            self.columns.fields.setdefault(name, shared)
        return shared if names else None

    def on_attribute(self, node, scope):
        self.value(node.value, scope)

    def on_binop(self, node, scope):
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        if isinstance(node.op, (ast.Add, ast.Mod)):
            for one, other in ((left, right), (right, left)):
                if isinstance(one, Shape) and isinstance(other, Constant) and isinstance(other.value, str):
                    one.be("str")
            if isinstance(left, Constant) and isinstance(right, Constant):
                try:
                    return Constant(left.value + right.value)
                except TypeError:
                    return None
        if isinstance(node.op, ast.Sub) and isinstance(left, Shape) and isinstance(right, Constant):
            left.be("int").offset = right.value if isinstance(right.value, int) else 0
            return left
        return None

    def on_boolop(self, node, scope):
        found = [self.value(part, scope) for part in node.values]
        return next((f for f in found if isinstance(f, Shape)), None)

    def on_ifexp(self, node, scope):
        self.value(node.test, scope)
        first, second = self.value(node.body, scope), self.value(node.orelse, scope)
        return first if isinstance(first, Shape) else second if isinstance(second, Shape) else first

    def on_compare(self, node, scope):
        left = self.value(node.left, scope)
        for operator, operand in zip(node.ops, node.comparators):
            right = self.value(operand, scope)
            if isinstance(operator, (ast.Eq, ast.NotEq)):
                self.equal(left, right)
                self.equal(right, left)
            elif isinstance(operator, (ast.In, ast.NotIn)):
                self.contained(left, right)

    def equal(self, shape, other):
        if not isinstance(shape, Shape) or shape is self.columns:
            return
        options = [other.value] if isinstance(other, Constant) else list(other.values) if isinstance(other, OneOf) else []
        options = [o for o in options if isinstance(o, (str, int, bool)) and o != ""]
        shape.holds(*options)
        if self.filtering and options:
            shape.be(type(options[0]).__name__)
            shape.filtered = True

    def contained(self, left, right):
        if isinstance(left, Shape) and isinstance(right, Constant) and isinstance(right.value, (list, tuple, dict)):
            left.holds(*[o for o in right.value if isinstance(o, (str, int)) and o != ""])
        elif isinstance(left, Constant) and isinstance(right, Shape) and isinstance(left.value, str) \
                and right.kind in (None, "str"):
            right.be("str")

    def on_call(self, node, scope):
        arguments = [self.value(a.value if isinstance(a, ast.Starred) else a, scope) for a in node.args]
        keywords = {k.arg: self.value(k.value, scope) for k in node.keywords}
        if isinstance(node.func, ast.Attribute):
            return self.method(node, scope, arguments, keywords)
        if isinstance(node.func, ast.Name):
            target = scope.get(node.func.id, self.module.names.get(node.func.id))
            if isinstance(target, Closure):
                return self.call(target, arguments, {k: v for k, v in keywords.items() if k})
            return self.builtin(node.func.id, arguments)
        return None

    def builtin(self, name, arguments):
        first = arguments[0] if arguments else None
        if name == "range" and all(isinstance(a, Constant) and isinstance(a.value, int) for a in arguments):
            return OneOf(tuple(range(*[a.value for a in arguments]))[:64])
        if name in ("enumerate", "zip", "list", "sorted", "set", "tuple", "reversed"):
            shapes = [a for a in arguments if isinstance(a, Shape) and a is not self.columns]
            for shape in shapes:
                if shape.kind != "str":
                    shape.items()
            if name == "enumerate":
                return Pairs((None, self.element(first)))
            if name == "zip":
                return Pairs(tuple(self.element(a) for a in arguments))
            return first
        if not isinstance(first, Shape) or first is self.columns:
            return None
        if name == "int":
            if first.kind is None:
                first.numeric = True
            return first
        if name == "float":
            first.numeric = True
        if name == "ord":
            first.be("str").holds(*"ABCD")
        if name == "str":
            return None
        if name == "isinstance":
            return None
        return first if name in ("eval",) else None

    def method(self, node, scope, arguments, keywords):
        name, owner = node.func.attr, self.value(node.func.value, scope)
        first = arguments[0] if arguments else keywords.get("function")
        if owner is DATASET:
            return self.over_rows(name, first)
        if owner is self.columns:
            if name in ("get", "pop") and isinstance(first, Constant):
                return self.columns.field(first.value)
            return self.one_of(first) if name in ("get", "pop") else None
        if name == "index" and isinstance(owner, Shape) and owner.kind in (None, "str") and isinstance(first, Constant):
            owner.be("str").contains.append(first.value)
            return None
        if name == "index":
            self.found_in(owner, first)
            return None
        if name == "join" and isinstance(first, Shape) and first.kind is None:
            first.items()
        if name in TEXT_FUNCTIONS and name_of(node.func.value) == "re":
            for argument in arguments[1:]:
                if isinstance(argument, Shape) and argument.kind is None:
                    argument.be("str")
            return None
        if name in ("loads", "literal_eval") and isinstance(first, Shape):
            first.be("str")
            first.json = first.json or Shape()
            first.literal = name == "literal_eval"
            return first.json
        if isinstance(owner, Shape):
            if name in TEXT_METHODS:
                owner.be("str")
                if name in ("lower", "upper") and owner.first_of is not None:
                    owner.first_of.be_text()
                if name == "startswith" and self.filtering:
                    self.equal(owner, first)
                return owner if name in ("strip", "lstrip", "rstrip", "upper", "lower") else None
            if name == "get" and isinstance(first, Constant) and isinstance(first.value, str):
                return owner.field(first.value)
            if name in ("items", "keys", "values"):
                owner.be("struct")
        return None

    def over_rows(self, name, function):
        if name in ("map", "filter") and isinstance(function, Closure):
            self.filtering = name == "filter"
            self.mapping += name == "map"
            self.call(function, [self.columns])
            self.mapping -= name == "map"
            self.filtering = False
        if name in ("map", "filter", "select", "shuffle", "remove_columns", "rename_column", "take", "with_format"):
            return DATASET
        return None

    def found_in(self, owner, wanted):
        if not isinstance(wanted, Shape):
            return
        if isinstance(owner, Constant) and isinstance(owner.value, (list, str, tuple)):
            wanted.holds(*owner.value)
        elif isinstance(owner, Shape):
            owner.items()
            wanted.source = owner
        elif isinstance(owner, tuple):
            wanted.sources = [part for part in owner if isinstance(part, Shape)]

