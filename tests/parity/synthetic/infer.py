"""From tasks to data sets: which configurations and splits they name and which columns they read."""

import json
import re
from pathlib import Path

from jinja2 import TemplateSyntaxError, nodes

from jinja_shapes import Walker, lone_expression
from python_shapes import DATASET, Reader
from shapes import Shape
from task_files import functions_in

SPLIT_KEYS = ("test_split", "validation_split", "training_split", "fewshot_split")
BUILDERS = ("json", "csv", "parquet", "text", "arrow")
HUB = "hf://datasets/"
TEMPLATE_MARK = re.compile(r"\{\{|\{%")
COLUMN_NAME = re.compile(r"[^\W\d][\w \-]*\Z")


class DataSet:
    """One (dataset_path, dataset_name) with what all its tasks together need; no name means "default"."""

    def __init__(self, path, name):
        self.path, self.name = path, name
        self.columns = Shape().be("struct")
        self.splits = {}
        self.rows = 8
        self.files = {}  # split -> file that dataset_kwargs names
        self.arguments = {}
        self.tasks = []
        self.filters = {}  # names of the process_docs functions


class View:
    """The columns without those that process_docs makes itself."""

    def __init__(self, columns, produced):
        self.columns, self.produced = columns, dict.fromkeys(produced)

    def field(self, name):
        if name not in self.produced:
            return self.columns.field(name)
        if self.produced[name] is None:
            self.produced[name] = Shape()
        return self.produced[name]


def data_sets(tasks):
    """Data sets by (path, name); tasks whose data has another origin are left out."""
    found = {}
    for task, config in tasks.items():
        path = config.get("dataset_path")
        files = (config.get("dataset_kwargs") or {}).get("data_files")
        if path in BUILDERS:
            path = hub_repository(files)
        if path is None or "custom_dataset" in config:
            continue
        key = (path, config.get("dataset_name") or "default", json.dumps(files))
        data = found.setdefault(key, DataSet(*key[:2]))
        data.tasks.append(task)
        add_task(data, config)
    return found


def hub_repository(files):
    """ORG/NAME where all data_files are in one repository of the hub, else None."""
    names = {"/".join(file.split("/")[3:5]) for file in files.values() if file.startswith(HUB)} \
        if isinstance(files, dict) else set()
    return names.pop() if len(names) == 1 and all(file.startswith(HUB) for file in files.values()) else None


def add_task(data, config):
    fewshot = config.get("fewshot_config") or {}
    for name in [config.get(key) for key in SPLIT_KEYS] + [fewshot.get("split")]:
        if isinstance(name, str):
            data.splits[name] = None
    data.rows = max(data.rows, int(config.get("num_fewshot") or 0) + 4)
    arguments = config.get("dataset_kwargs") or {}
    if isinstance(arguments.get("data_files"), dict):
        data.files.update({split: file.removeprefix(f"{HUB}{data.path}/") for split, file in arguments["data_files"].items()})
        data.arguments = arguments
    reader = Reader(data.columns)
    for function in functions_at(config, fewshot, "process_docs"):
        data.filters[function.name] = None
        reader.read(function, DATASET)
    for key in ("doc_to_text", "doc_to_target", "doc_to_choice"):
        for function in functions_at(config, fewshot, key):
            reader.read(function, data.columns)
    Templates(View(data.columns, reader.produced), config, fewshot).read()


def functions_at(config, fewshot, key):
    yield from functions_in(config.get(key))
    yield from functions_in(fewshot.get(key))


class PlainWalker(Walker):
    """Marks the columns of a template whose output is read as a Python literal: no quotes in them."""

    def on_name(self, node):
        shape = super().on_name(node)
        if isinstance(shape, Shape):
            shape.plain = True
        return shape


class Templates:
    """The YAML's own texts: templates and column names."""

    def __init__(self, columns, config, fewshot):
        self.columns, self.config, self.fewshot = columns, config, fewshot
        self.choices = None

    def read(self):
        self.choices = self.read_choices(self.config.get("doc_to_choice"))
        for key in ("doc_to_text", "description", "gen_prefix"):
            self.text(self.config.get(key))
        self.target(self.config.get("doc_to_target"))
        if "doc_to_choice" in self.fewshot:
            self.read_choices(self.fewshot["doc_to_choice"])
        for key in ("doc_to_text", "gen_prefix"):
            if "samples" not in self.fewshot:
                self.text(self.fewshot.get(key))
        if "samples" not in self.fewshot:
            self.target(self.fewshot.get("doc_to_target"))

    def walk(self, text):
        try:
            Walker(self.columns).read(text)
        except TemplateSyntaxError:
            pass

    def text(self, value):
        if not isinstance(value, str) or not value:
            return
        if TEMPLATE_MARK.search(value):
            self.walk(value)
        elif COLUMN_NAME.match(value) and value == value.strip() and len(value.split()) < 3:
            self.columns.field(value).be("str")

    def target(self, value):
        if not isinstance(value, str) or not value.strip():
            return
        if not TEMPLATE_MARK.search(value):
            if COLUMN_NAME.match(value) and len(value.split()) < 3:
                self.answer(self.columns.field(value))
            return
        self.walk(value)
        expression = lone_expression(value)
        if isinstance(expression, nodes.Name):
            self.answer(self.columns.field(expression.name))
        elif isinstance(expression, nodes.Sub) and isinstance(expression.left, (nodes.Name, nodes.Filter)):
            shape = Walker(self.columns).visit(expression.left)
            if isinstance(shape, Shape) and self.choices is not None:
                shape.bounds.append(self.choices)

    def answer(self, shape):
        """The column that is the target itself: an index where there are choices, else a text."""
        if self.choices is None or self.config.get("output_type") != "multiple_choice":
            if self.config.get("output_type") == "multiple_choice":
                shape.be("int").bounds.append(2)
        elif shape.kind in (None, "int") and not shape.values:
            shape.indexes(self.choices)
        elif shape.kind == "str" and not shape.numeric and isinstance(self.config.get("doc_to_choice"), list):
            shape.holds(*self.config["doc_to_choice"])
        elif shape.kind == "str":
            shape.bounds.append(self.choices)

    def read_choices(self, value):
        if isinstance(value, (list, dict)):
            return len(value)
        if not isinstance(value, str):
            return None
        if not TEMPLATE_MARK.search(value):
            shape = self.columns.field(value)
            shape.items()
            return shape
        self.walk(value)
        expression = lone_expression(value)
        if isinstance(expression, nodes.List):
            for item in expression.items:
                if isinstance(item, nodes.Name):
                    self.columns.field(item.name).be("str")
            return len(expression.items)
        if expression is None:
            PlainWalker(self.columns).read(value)
            return max(2, value.count(",") + 1) if value.startswith("[") else 2
        shape = Walker(self.columns).visit(expression)
        if isinstance(shape, Shape):
            shape.items()
            return shape
        return 2


def known_columns():
    return json.loads((Path(__file__).parent / "known.json").read_text(encoding="utf-8"))
