"""Reads the columns that a template needs from its syntax tree."""

from jinja2 import Environment, nodes

from shapes import Shape

TEXT_METHODS = {"strip", "lstrip", "rstrip", "split", "replace", "capitalize", "lower", "upper", "title",
                "startswith", "endswith", "join", "format"}
GLOBALS = {"range", "loop", "dict", "lipsum", "cycler", "joiner", "namespace"}
_environment = Environment()


class Walker:
    """One template; `columns` is the struct of the document."""

    def __init__(self, columns):
        self.columns = columns
        self.locals = {}

    def read(self, text):
        self.visit(_environment.parse(text))

    def visit(self, node):
        handler = getattr(self, "on_" + type(node).__name__.lower(), None)
        if handler:
            return handler(node)
        for child in node.iter_child_nodes():
            self.visit(child)
        return None

    def on_name(self, node):
        if node.name in self.locals:
            return self.locals[node.name]
        if node.name in GLOBALS or node.ctx != "load":
            return None
        return self.columns.field(node.name)

    def on_for(self, node):
        shape = self.visit(node.iter)
        self.bind(node.target, shape.items() if isinstance(shape, Shape) else shape)
        for child in node.body + node.else_:
            self.visit(child)

    def bind(self, target, value):
        if isinstance(target, nodes.Name):
            self.locals[target.name] = value
        elif isinstance(target, nodes.Tuple):
            for part in target.items:
                self.bind(part, None)

    def on_assign(self, node):
        self.bind(node.target, self.visit(node.node))

    def on_getattr(self, node):
        value = self.visit(node.node)
        return value.field(node.attr) if isinstance(value, Shape) else None

    def on_getitem(self, node):
        value, arg = self.visit(node.node), node.arg
        if isinstance(arg, nodes.Slice):
            for child in arg.iter_child_nodes():
                index = self.visit(child)
                if isinstance(index, Shape):
                    index.indexes(2)
            return value
        constant = constant_of(arg)
        if isinstance(constant, str):
            return value.field(constant) if isinstance(value, Shape) else None
        if isinstance(constant, int):
            return value.at(constant) if isinstance(value, Shape) else None
        index = self.visit(arg)
        if isinstance(value, Shape):
            if isinstance(index, Shape) and value.kind != "struct":
                index.indexes(value)
            return value.items()
        self.look_up(node.node, index)
        return None

    def look_up(self, container, index):
        if not isinstance(index, Shape):
            return
        if isinstance(container, (nodes.List, nodes.Tuple)):
            index.indexes(len(container.items))
        elif isinstance(container, nodes.Const) and isinstance(container.value, str):
            index.indexes(len(container.value))
        elif isinstance(container, nodes.Dict):
            keys = [constant_of(pair.key) for pair in container.items]
            index.be("int" if keys and isinstance(keys[0], int) else "str").holds(*keys)

    def on_call(self, node):
        if isinstance(node.node, nodes.Getattr):
            return self.method(node)
        for child in node.iter_child_nodes():
            self.visit(child)
        return None

    def method(self, node):
        name = node.node.attr
        value = self.visit(node.node.node)
        arguments = [self.visit(child) for child in node.args]
        if name == "index":
            self.found_in(node.node.node, value, node.args[0], arguments[0])
            return None
        if name in TEXT_METHODS:
            if isinstance(value, Shape):
                value.be("str")
                if name == "replace" and isinstance(constant_of(node.args[0]), str):
                    value.contains.append(constant_of(node.args[0]))
            return value if name.endswith("strip") else None
        if isinstance(value, Shape):
            return value.field(name)
        return None

    def found_in(self, container, shape, wanted_node, wanted):
        """`container.index(wanted)`: one must be among the other."""
        if isinstance(shape, Shape):
            if isinstance(wanted, Shape):
                shape.items()
                wanted.source = shape
            elif constant_of(wanted_node) is not None:
                shape.items().be("int" if isinstance(constant_of(wanted_node), int) else "str")
                shape.contains.append(constant_of(wanted_node))
        elif isinstance(wanted, Shape) and isinstance(container, (nodes.List, nodes.Tuple)):
            wanted.holds(*[constant_of(item) for item in container.items])
        elif isinstance(container, nodes.List) and isinstance(wanted_node, nodes.Add):
            self.prefixed([constant_of(item) for item in container.items], wanted_node)

    def prefixed(self, options, node):
        prefix, right = constant_of(node.left), self.visit(node.right)
        if isinstance(prefix, str) and isinstance(right, Shape):
            right.be("str").holds(*[option.removeprefix(prefix) for option in options])

    def on_compare(self, node):
        left = self.visit(node.expr)
        for operand in node.ops:
            right = self.visit(operand.expr)
            if operand.op in ("eq", "ne"):
                self.same(left, operand.expr, right, node.expr)
            elif operand.op in ("in", "notin") and isinstance(left, Shape) \
                    and isinstance(operand.expr, (nodes.List, nodes.Tuple)):
                left.holds(*[constant_of(item) for item in operand.expr.items])
            elif operand.op in ("gt", "lt", "gteq", "lteq") and isinstance(left, Shape):
                left.be("int").bounds.append(4)

    def same(self, left, right_node, right, left_node):
        if isinstance(left, Shape) and isinstance(constant_of(right_node), (str, int, bool)):
            left.holds(constant_of(right_node))
        elif isinstance(right, Shape) and isinstance(constant_of(left_node), (str, int, bool)):
            right.holds(constant_of(left_node))

    def on_test(self, node):
        value = self.visit(node.node)
        if node.name == "none" and isinstance(value, Shape):
            value.nullable = True
        return None

    def on_filter(self, node):
        value = self.visit(node.node) if node.node is not None else None
        for child in node.args:
            self.visit(child)
        if not isinstance(value, Shape):
            return None
        if node.name == "int":
            value.numeric = value.kind == "str" or value.kind is None
            return value
        if node.name == "map":
            names = [pair.value.value for pair in node.kwargs if pair.key == "attribute"]
            return as_list(value.items().field(names[0])) if names else None
        if node.name in ("join", "list"):
            value.items()
            return value
        if node.name == "trim":
            value.be("str")
        return value if node.name in ("trim", "string") else None

    def on_sub(self, node):
        left, _ = self.visit(node.left), self.visit(node.right)
        if isinstance(left, Shape) and isinstance(constant_of(node.right), int):
            left.offset = constant_of(node.right)
            if not left.numeric:
                left.be("int")
            return left
        return None

    def on_add(self, node):
        for side, other in ((node.left, node.right), (node.right, node.left)):
            shape, constant = self.visit(side), constant_of(other)
            if isinstance(shape, Shape) and isinstance(constant, (str, int)):
                shape.be("str" if isinstance(constant, str) else "int")
        return None

    def on_condexpr(self, node):
        self.visit(node.test)
        first = self.visit(node.expr1)
        second = self.visit(node.expr2) if node.expr2 is not None else None
        return first if isinstance(first, Shape) else second


def constant_of(node):
    if isinstance(node, nodes.Const):
        return node.value
    if isinstance(node, nodes.Neg) and isinstance(node.node, nodes.Const):
        return -node.node.value
    return None


def as_list(element):
    shape = Shape()
    shape.kind, shape.element = "list", element
    return shape


def lone_expression(text):
    """The expression of a template that is `{{expression}}` and nothing else, or None."""
    body = _environment.parse(text).body
    if len(body) == 1 and isinstance(body[0], nodes.Output):
        parts = [p for p in body[0].nodes if not (isinstance(p, nodes.TemplateData) and not p.data.strip())]
        if len(parts) == 1 and not isinstance(parts[0], nodes.TemplateData):
            return parts[0]
    return None
