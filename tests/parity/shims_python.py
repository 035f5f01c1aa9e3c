"""Runs lm-eval's helper functions in this Python, with a stand-in for the package datasets."""

import copy
import importlib.util
import math
import random
import re
import signal
import sys
import types


class Dataset:
    """As much of datasets.Dataset as helper files use: rows with the same columns."""

    def __init__(self, rows, columns=None):
        self.rows = rows
        self.column_names = columns if columns is not None else (list(rows[0]) if rows else [])
        self.features = {name: None for name in self.column_names}

    @classmethod
    def from_list(cls, rows):
        columns = list(rows[0]) if rows else []
        return cls(settled([{name: row.get(name) for name in columns} for row in rows]))

    @classmethod
    def from_dict(cls, columns):
        names = list(columns)
        return cls(settled([dict(zip(names, row)) for row in zip(*columns.values())]))

    @property
    def num_rows(self):
        return len(self.rows)

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(copy.deepcopy(self.rows))

    def __getitem__(self, key):
        if isinstance(key, str):
            return [copy.deepcopy(row[key]) for row in self.rows]
        return copy.deepcopy(self.rows[key])

    def map(self, function, with_indices=False, remove_columns=None, **options):
        refuse(options, "num_proc", "load_from_cache_file", "desc", "keep_in_memory")
        removed = [remove_columns] if isinstance(remove_columns, str) else remove_columns or []
        made = []
        for index, row in enumerate(self.rows):
            row = copy.deepcopy(row)
            output = function(row, index) if with_indices else function(row)
            if output is None and not made:
                continue
            merged = {name: value for name, value in row.items() if name not in removed}
            if output is not row:
                merged.update(output)
            made.append(merged)
        return Dataset(settled(made, self.rows)) if made else self

    def filter(self, function, **options):
        refuse(options, "num_proc", "load_from_cache_file", "desc")
        return Dataset([row for row in self.rows if function(copy.deepcopy(row))], self.column_names)

    def select(self, indices):
        return Dataset([self.rows[i] for i in indices], self.column_names)

    def rename_columns(self, names):
        if missing := [name for name in names if name not in self.column_names]:
            raise ValueError(missing)
        return Dataset([{names.get(k, k): v for k, v in row.items()} for row in self.rows])

    def rename_column(self, old, new):
        return self.rename_columns({old: new})

    def remove_columns(self, names):
        names = [names] if isinstance(names, str) else names
        if missing := [name for name in names if name not in self.column_names]:
            raise ValueError(missing)
        return Dataset([{k: v for k, v in row.items() if k not in names} for row in self.rows])

    def select_columns(self, names):
        names = [names] if isinstance(names, str) else names
        return Dataset([{k: row[k] for k in names} for row in self.rows])


def refuse(options, *harmless):
    if unknown := set(options) - set(harmless):
        raise NotImplementedError(f"stand-in for datasets: {unknown}")


def settled(rows, old=()):
    """Rows as they come back from Arrow: a column that was there gets its old type where that can be."""
    if not rows:
        return []
    before = list(old[0]) if old else []
    names = [name for name in before if name in rows[0]] + [name for name in rows[0] if name not in before]
    columns = {}
    for name in names:
        was = [row[name] for row in old] if name in before else []
        columns[name] = settle([row[name] for row in rows], was)
    return [dict(zip(names, row)) for row in zip(*columns.values())]


class Mixed(Exception):
    """No Arrow type holds the values."""


def infer(values):
    """None, a type, ["list", type] or {"key": type}."""
    kinds = {"list" if isinstance(v, (list, tuple)) else type(v) for v in values if v is not None}
    if kinds == {int, float}:
        return float
    if len(kinds) > 1:
        raise Mixed
    if not kinds:
        return None
    (kind,) = kinds
    if kind == "list":
        return ["list", infer([item for v in values if v is not None for item in v])]
    if kind is dict:
        present = [v for v in values if v is not None]
        if any(set(v) != set(present[0]) for v in present):
            raise Mixed
        return {key: infer([v[key] for v in present]) for key in present[0]}
    return kind


def cast(value, kind):
    """Raises ValueError where Arrow refuses."""
    if value is None:
        return None
    if isinstance(kind, list) and isinstance(value, (list, tuple)):
        return [cast(item, kind[1]) for item in value]
    if isinstance(kind, dict) and isinstance(value, dict) and set(value) <= set(kind):
        return {key: cast(value.get(key), inner) for key, inner in kind.items()}
    if isinstance(kind, (list, dict)) or kind is None:
        raise ValueError
    if isinstance(value, str) and kind in (int, float, bool):
        if kind is bool:
            return {"true": True, "1": True, "false": False, "0": False}.get(value.lower(), None) or fail(value)
        if not re.fullmatch(r"-?[0-9]+" if kind is int else r"[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?", value):
            raise ValueError
        return kind(value)
    if kind in (int, float, bool) and isinstance(value, (int, float)):
        if kind is int and int(value) != value:
            raise ValueError
        return kind(value)
    if type(value) is not kind:
        raise ValueError
    return value


def fail(value):
    if value.lower() in ("false", "0"):
        return False
    raise ValueError


def settle(values, before=()):
    if before:
        old = infer(before)
        try:
            if old is not None:
                return [cast(value, old) for value in values]
        except ValueError:
            pass
    try:
        kind = infer(values)
    except Mixed:
        if before:
            raise TypeError("mixed types in a column that was there") from None
        return [listed(value) for value in values]
    return [cast(value, kind) for value in values]


def listed(value):
    if isinstance(value, (list, tuple)):
        return [listed(item) for item in value]
    return {k: listed(v) for k, v in value.items()} if isinstance(value, dict) else value


class NoDocuments(Exception):
    """No data set can hold these rows."""


SECONDS = 20  # a call that takes longer is stuck or downloads something


def stop(*_):
    raise TimeoutError(f"took more than {SECONDS} s")


class Python:
    """The reference: helper files loaded as lm-eval loads them."""

    def __init__(self, tasks, real_datasets=False):
        self.tasks = tasks
        self.real_datasets = real_datasets
        self.modules = {}
        signal.signal(signal.SIGALRM, stop)
        if real_datasets:
            import datasets

            datasets.disable_progress_bars()
            self.dataset = datasets.Dataset
        else:
            self.dataset = Dataset
            fake = types.ModuleType("datasets")
            fake.Dataset = Dataset
            fake.__getattr__ = lambda name: type(name, (), {}) if not name.startswith("__") else Dataset.missing
            sys.modules["datasets"] = fake
            missing = types.ModuleType("evaluate")  # it would load metrics from the network
            missing.load = lambda *_, **options: None
            sys.modules["evaluate"] = missing
        self.find_lm_eval()
        self.stand_in_for("transformers.data.metrics.squad_metrics")  # which transformers 5 lacks

    def find_lm_eval(self):
        """Lets `import lm_eval.tasks.x` find the task folder when the package itself is not installed."""
        package = types.ModuleType("lm_eval.tasks")
        package.__path__ = [str(self.tasks)]
        sys.modules["lm_eval.tasks"] = package
        if importlib.util.find_spec("lm_eval") is None:
            parent = types.ModuleType("lm_eval")
            parent.__path__ = [str(self.tasks.parent)]
            sys.modules["lm_eval"] = parent

    @staticmethod
    def stand_in_for(name):
        """Lets a module that cannot be imported be imported; what uses it still fails."""
        try:
            importlib.import_module(name)
        except ImportError:
            parts = name.split(".")
            for depth in range(len(parts)):
                parent = ".".join(parts[: depth + 1])
                sys.modules.setdefault(parent, types.ModuleType(parent))

    def load(self, file):
        random.seed(0)
        spec = importlib.util.spec_from_file_location("helper", file)
        module = importlib.util.module_from_spec(spec)
        module.print = lambda *_, **options: None  # helpers are chatty
        spec.loader.exec_module(module)
        return module

    def module(self, file):
        """The module, loaded anew where random numbers make it remember."""
        if file not in self.modules:
            self.modules[file] = (self.load(file), "random" in file.read_text(encoding="utf-8"))
        module, remembers = self.modules[file]
        return self.load(file) if remembers else module

    def missing(self, file):
        """Why the file cannot be loaded, or None."""
        signal.alarm(2 * SECONDS)
        try:
            self.module(file)
            return None
        except (Exception, SystemExit) as error:  # any package may be missing
            return f"{type(error).__name__}: {error}"
        finally:
            signal.alarm(0)

    def made_dataset(self, rows):
        try:
            return self.dataset.from_list(rows)
        except Exception as error:
            raise NoDocuments(error) from None

    def call(self, file, function, use, arguments):
        """(value, None) or (None, error)"""
        signal.alarm(SECONDS)
        try:
            callee = getattr(self.module(file), function)
            arguments = copy.deepcopy(arguments)
            if use == "documents":
                return list(callee(self.made_dataset(arguments[0]))), None
            if use == "filter" and isinstance(callee, type):
                value = list(callee(**arguments[2]).apply(arguments[0], arguments[1]))
            elif use == "metric":
                value = callee(references=arguments[0], predictions=arguments[1], **arguments[2])
            elif use == "custom_dataset":
                value = callee(**arguments[0])
            else:
                value = callee(*arguments)
            return list(value) if use in ("samples", "filter") else value, None
        except (Exception, SystemExit) as error:  # whatever the function raises is its outcome
            return None, f"{type(error).__name__}: {error}"
        finally:
            signal.alarm(0)


def literal(value):
    """repr, with infinities that a literal can hold and NaN as a marked text (shims_cat.cpp)."""
    if value != value:
        return "'\\x00nan'"
    if isinstance(value, float) and not math.isfinite(value):
        return "1e999" if value > 0 else "-1e999"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, tuple):
        return "(" + "".join(literal(item) + ", " for item in value) + ")"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    return repr(value)


def plain(value):
    """numpy's numbers as Python's."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    if isinstance(value, dict):
        return {plain(k): plain(v) for k, v in value.items()}
    return value.item() if type(value).__module__ == "numpy" and value.shape == () else value


def same(expected, found):
    """`found` is the repr of the twin's value; the order of a dict's keys counts."""
    return repr(plain(expected)) == found
