"""What is known of a column: gathered from every place that uses it, turned into values later.

A Shape starts as unknown and learns by `is_list()`, `field(name)`, `holds(constant)` and so on. Later
knowledge never contradicts earlier knowledge by force: the first kind stays, for one data set is used
in one way by nearly all its tasks, and what differs is mended by the table of known columns.
"""

SCALARS = ("str", "int", "float", "bool")


class Shape:
    def __init__(self):
        self.kind = None  # one of SCALARS, "list", "struct"; None while unknown
        self.fields = {}
        self.element = None
        self.least = 0  # elements that a list must have
        self.values = []  # constants it is compared with or looked up among
        self.nullable = False
        self.plain = False  # must not hold quotes, backslashes or line ends
        self.numeric = False  # text that int() reads
        self.offset = 0  # what is taken away before it is used as an index
        self.bounds = []  # lengths, or Shapes of lists, that it is an index into
        self.source = None  # the list whose elements it is one of
        self.sources = []  # the columns one of which it equals
        self.filtered = False  # rows are chosen by it: every value must occur several times
        self.json = None  # the Shape of what the text says when read as JSON
        self.literal = False  # it is read as a Python literal instead
        self.length = None  # elements of a list, where it has to differ from the other lists of a row
        self.constant = None  # the same value in every row
        self.first_of = None  # the list or text whose first element it is
        self.contains = []  # texts it must have inside

    def be(self, kind):
        if self.kind is None:
            self.kind = kind
        return self

    def field(self, name):
        if self.kind == "list":  # a list of structs, reached by a filter or a loop
            return self.items().field(name)
        self.be("struct")
        if name not in self.fields:
            self.fields[name] = Shape()
        return self.fields[name]

    def items(self):
        if self.kind in (None, "list"):
            self.kind = "list"
            if self.element is None:
                self.element = Shape()
        return self.element or Shape().be("str")

    def at(self, position):
        if self.kind == "str":
            return Shape().be("str")
        self.least = max(self.least, position + 1 if position >= 0 else -position)
        element = self.items()
        if position == 0:
            element.first_of = self
        return element

    def be_text(self):
        """What looked like a list is a text: its first character was asked for."""
        if self.kind == "list":
            self.kind, self.element, self.least = "str", None, 0

    def holds(self, *constants):
        for constant in constants:
            if constant is None:
                self.nullable = True
            elif not any(constant == value and type(constant) is type(value) for value in self.values):
                self.values.append(constant)
        return self

    def indexes(self, bound):
        self.be("int")
        self.bounds.append(bound)
        return self
