"""A stand-in for the part of `datasets` that task helpers use, for interpreters without that package.
What it answers is what `datasets` answers; what it can't do alike it refuses by name."""

import copy
import importlib.util
import re
import sys
import types

_INTEGER = re.compile(r"-?[0-9]+")
_REAL = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?|[-+]?(nan|inf(inity)?)", re.IGNORECASE)


class Refused(Exception):
    """Something that only the real package can do."""


def _need(what):
    raise Refused(
        f"{what} needs the Python package datasets, which this interpreter lacks; "
        "install it there or name another interpreter with --python PATH"
    )


def _merge_types(values, mixed=False):
    """One Arrow column: tuples are lists, records have the same fields, ints beside floats are floats.
    What is too mixed for that stays as it is with `mixed` (the Json type, which map falls back to)."""
    present = [value for value in values if value is not None]
    if present and all(isinstance(value, dict) for value in present):
        return _merge_records(values, present, mixed)
    if present and all(isinstance(value, (list, tuple)) for value in present):
        merged = iter(_merge_types([item for value in present for item in value], mixed))
        return [None if value is None else [next(merged) for _ in value] for value in values]
    kinds = {type(value) for value in present}
    if kinds == {int, float}:
        return [None if value is None else float(value) for value in values]
    if len(kinds) > 1 and not mixed:
        names = " and ".join(sorted(kind.__name__ for kind in kinds))
        raise TypeError(f"a column can't hold {names}")
    return list(values)


def _merge_records(values, present, mixed):
    keys = list(dict.fromkeys(key for value in present for key in value))
    if mixed and any(len(value) != len(keys) for value in present):
        return list(values)
    columns = [_merge_types([value.get(key) for value in present], mixed) for key in keys]
    rows = iter([dict(zip(keys, cells)) for cells in zip(*columns)] if keys else [{} for _ in present])
    return [None if value is None else next(rows) for value in values]


def _kind(values):
    """The type that all values but None have, or None."""
    kinds = {type(value) for value in values if value is not None}
    return kinds.pop() if len(kinds) == 1 else None


def _cast_back(old, new):
    """`datasets` gives a changed column its old type back where Arrow can cast: "3" where 2 was is 3."""
    old_kind, new_kind = _kind(old or []), _kind(new)
    if old_kind not in (int, float) or new_kind not in (bool, int, float, str) or old_kind is new_kind:
        return new
    try:
        cast = [None if value is None else old_kind(value) for value in new]
    except ValueError:
        return new
    if new_kind is str:
        plain = _INTEGER if old_kind is int else _REAL
        return cast if all(value is None or plain.fullmatch(value) for value in new) else new
    return cast if cast == new else new


class _Row(dict):
    """A document as map hands it out. If the function returns it, what counts as its result is what it
    has looked at or set."""

    def __init__(self, values):
        super().__init__(values)
        self._seen = set()

    def __getitem__(self, key):
        self._seen.add(key)
        return super().__getitem__(key)

    def __setitem__(self, key, value):
        self._seen.add(key)
        super().__setitem__(key, value)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def update(self, *args, **kwargs):
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def touched(self):
        return {key: value for key, value in dict.items(self) if key in self._seen}


class Dataset:
    """Columns over lists. Never changes: each method gives a new one."""

    def __init__(self, columns=None, length=None):
        self._columns = dict(columns or {})
        sizes = {len(values) for values in self._columns.values()}
        if len(sizes) > 1:
            raise ValueError("the columns have different lengths")
        self._length = sizes.pop() if sizes else (length or 0)

    @classmethod
    def from_list(cls, rows, on_mixed_types=None, **_unused):
        names = list(rows[0]) if rows else []
        mixed = on_mixed_types == "use_json"
        columns = {name: _merge_types([row.get(name) for row in rows], mixed) for name in names}
        return cls(columns, len(rows))

    @classmethod
    def from_dict(cls, columns, **_unused):
        return cls({name: _merge_types(list(values)) for name, values in columns.items()})

    column_names = property(lambda self: list(self._columns))
    num_rows = property(lambda self: self._length)
    num_columns = property(lambda self: len(self._columns))
    shape = property(lambda self: (self._length, len(self._columns)))
    features = property(lambda self: dict.fromkeys(self._columns))

    def __len__(self):
        return self._length

    def __iter__(self):
        return (self._row(i) for i in range(self._length))

    def _row(self, index):
        """A copy: what a function does to its document stays its own, as with `datasets`."""
        return {name: copy.deepcopy(values[index]) for name, values in self._columns.items()}

    def __getitem__(self, key):
        if isinstance(key, str):
            return list(self._columns[key])
        if isinstance(key, slice):
            return {name: values[key] for name, values in self._columns.items()}
        if isinstance(key, int):
            if not -self._length <= key < self._length:
                raise IndexError(f"Invalid key: {key} is out of bounds for size {self._length}")
            return self._row(key)
        return {name: [values[i] for i in key] for name, values in self._columns.items()}

    def to_list(self):
        return list(self)

    def to_dict(self):
        return {name: list(values) for name, values in self._columns.items()}

    def unique(self, column):
        return list(dict.fromkeys(self._columns[column]))

    def select(self, indices, **_unused):
        indices = list(indices)
        return Dataset(self[indices], len(indices))

    def take(self, n):
        return self.select(range(min(n, self._length)))

    def skip(self, n):
        return self.select(range(min(n, self._length), self._length))

    def select_columns(self, names):
        names = [names] if isinstance(names, str) else names
        return Dataset({name: self._columns[name] for name in names}, self._length)

    def remove_columns(self, names):
        gone = {names} if isinstance(names, str) else set(names)
        if missing := gone - set(self._columns):
            raise ValueError(f"Column name {sorted(missing)} not in the dataset")
        return Dataset({k: v for k, v in self._columns.items() if k not in gone}, self._length)

    def rename_columns(self, names):
        if missing := set(names) - set(self._columns):
            raise ValueError(f"Column name {sorted(missing)} not in the dataset")
        return Dataset({names.get(k, k): v for k, v in self._columns.items()}, self._length)

    def rename_column(self, original_column_name, new_column_name, **_unused):
        return self.rename_columns({original_column_name: new_column_name})

    def add_column(self, name, column, **_unused):
        if name in self._columns:
            raise ValueError(f"Column {name} is in the dataset already")
        return Dataset({**self._columns, name: _merge_types(list(column))}, self._length)

    def filter(self, function=None, with_indices=False, input_columns=None, batched=False, fn_kwargs=None,
               **_unused):  # fmt: skip
        if batched:
            _need("Dataset.filter(batched=True)")
        call = _caller(function or bool, with_indices, input_columns, fn_kwargs)
        return self.select(i for i in range(self._length) if call(self._row(i), i))

    def map(self, function=None, with_indices=False, input_columns=None, batched=False, batch_size=1000,
            remove_columns=None, fn_kwargs=None, **_unused):  # fmt: skip
        call = _caller(function or dict, with_indices, input_columns, fn_kwargs)
        removed = [remove_columns] if isinstance(remove_columns, str) else list(remove_columns or [])
        if not self._length:
            return self.remove_columns(removed)
        if batched:
            return self._map_batches(call, batch_size or self._length, removed)
        results = []
        for i in range(self._length):
            row = _Row(self._row(i))
            result = call(row, i)
            results.append(row.touched() if result is row else result)
        if all(result is None for result in results):
            return self
        rows = [
            {**{k: v for k, v in self._row(i).items() if k not in removed}, **dict(result or {})}
            for i, result in enumerate(results)
        ]
        names = list(rows[0]) if rows else []
        return self._with({name: [row[name] for row in rows] for name in names})

    def _with(self, columns):
        """A data set of new columns; one that was there before keeps its type if its values allow it."""
        typed = {}
        for name, values in columns.items():
            values = _merge_types(values, True)
            typed[name] = _cast_back(self._columns.get(name), values)
        return Dataset(typed)

    def _map_batches(self, call, size, removed):
        columns = {}
        for first in range(0, self._length, size):
            indices = list(range(first, min(first + size, self._length)))
            batch = self[indices]
            kept = {name: values for name, values in batch.items() if name not in removed}
            for name, values in {**kept, **dict(call(batch, indices) or {})}.items():
                columns.setdefault(name, []).extend(values)
        return self._with(columns)

    def sort(self, column_names, reverse=False, **_unused):
        names = [column_names] if isinstance(column_names, str) else list(column_names)
        if len(names) != 1 or not isinstance(reverse, bool):
            _need("Dataset.sort by several columns")
        values = self._columns[names[0]]
        there = [i for i in range(self._length) if values[i] is not None]
        absent = [i for i in range(self._length) if values[i] is None]
        return self.select(sorted(there, key=values.__getitem__, reverse=reverse) + absent)

    def shuffle(self, seed=None, generator=None, **_unused):
        try:
            import numpy
        except ImportError:
            _need("Dataset.shuffle")
        if generator is None:
            generator = numpy.random.default_rng(_seed_of(numpy) if seed is None else seed)
        return self.select(int(i) for i in generator.permutation(self._length))

    def flatten_indices(self, **_unused):
        return self

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return _need(f"Dataset.{name}")


def _seed_of(numpy):
    """What `datasets` takes for a seed if none is given: a word of numpy's global state."""
    _, words, position, *_ = numpy.random.get_state()
    numpy.random.random()
    return words[position] if position < 624 else words[0]


def _caller(function, with_indices, input_columns, fn_kwargs):
    columns = [input_columns] if isinstance(input_columns, str) else input_columns

    def call(row, index):
        given = [row] if columns is None else [row[name] for name in columns]
        return function(*given, *([index] if with_indices else []), **(fn_kwargs or {}))

    return call


def _attribute(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _absent(name)


def _absent(name):
    def call(*_args, **_kwargs):
        _need(f"datasets.{name}")

    return call


def _concatenate(parts, **_unused):
    return Dataset.from_list([row for part in parts for row in part])


def stand_in():
    """A module to take the place of the package: type names, Dataset, and refusals."""
    module = types.ModuleType("datasets")
    module.__dict__.update(
        Dataset=Dataset,
        DatasetDict=type("DatasetDict", (dict,), {}),
        concatenate_datasets=_concatenate,
        load_dataset=_absent("load_dataset"),
        __path__=[],
    )
    module.__getattr__ = _attribute
    return module


class _Finder:
    """Answers an import of the package when no other finder has it."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        del path, target
        return importlib.util.spec_from_loader(name, _Finder) if name == "datasets" else None

    @staticmethod
    def create_module(spec):
        del spec
        return stand_in()

    @staticmethod
    def exec_module(module):
        del module


def install():
    sys.meta_path.append(_Finder)


def module():
    """The real package, or the stand-in."""
    package = importlib.import_module("datasets")
    if package.Dataset is not Dataset:
        package.disable_progress_bars()
    return package
