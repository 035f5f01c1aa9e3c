"""Values over JSON lines. JSON holds most; what it can't is a dict with one key:
{"$tuple": [...]}, {"$datetime": microseconds since 1970}, {"$dict": [[key, value], ...]}
(a dict with keys that are no text, or with a key that starts with "$")."""

import datetime
import json
import math
import types

_EPOCH = datetime.datetime(1970, 1, 1)
_MICROSECOND = datetime.timedelta(microseconds=1)
_MAX_DEPTH = 200
_LAZY = (types.GeneratorType, map, filter, zip, range, reversed, type({}.keys()), type({}.values()))


class Unfit(TypeError):
    """A value that tare has no kind for."""


def decode_line(line):
    return json.loads(line)


def read(value):
    """The Python value of a tagged one."""
    if isinstance(value, list):
        return [read(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((tag, inner),) = value.items()
        if tag == "$tuple":
            return tuple(read(item) for item in inner)
        if tag == "$datetime":
            return _EPOCH + datetime.timedelta(microseconds=inner)
        if tag == "$dict":
            return {read(key): read(item) for key, item in inner}
    return {key: read(item) for key, item in value.items()}


def write(value, where="the result", depth=0):
    """The tagged form. `where` is for the error."""
    if value is None or value is True or value is False:
        return value
    if depth > _MAX_DEPTH:
        raise Unfit(f"{where} is nested more than {_MAX_DEPTH} deep")
    for kind, writer in _WRITERS:
        if isinstance(value, kind):
            return writer(value, where, depth)
    plain = _without_numpy(value)
    if plain is not value:
        return write(plain, where, depth + 1)
    raise Unfit(f"{where} is a {type(value).__name__}, which can't be handed over")


def _write_text(value, where, _depth):
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise Unfit(f"{where} is a text with a lone surrogate, which is no UTF-8") from None
    return str.__str__(value)


def _write_integer(value, where, _depth):
    value = int(value)
    if not -(2**63) <= value < 2**63:
        raise Unfit(f"{where} is an integer beyond 64 bits")
    return value


def _write_items(value, where, depth):
    return [write(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(value)]


def _write_tuple(value, where, depth):
    return {"$tuple": _write_items(value, where, depth)}


def _write_dict(value, where, depth):
    if all(type(key) is str and not key.startswith("$") for key in value):
        return {
            _write_text(key, where, depth): write(item, f"{where}[{key!r}]", depth + 1)
            for key, item in value.items()
        }
    pairs = [
        [write(key, f"a key of {where}", depth + 1), write(item, f"{where}[{key!r}]", depth + 1)]
        for key, item in value.items()
    ]
    return {"$dict": pairs}


def _write_datetime(value, where, _depth):
    if value.tzinfo is not None:
        raise Unfit(f"{where} is a datetime with a time zone")
    return {"$datetime": (value - _EPOCH) // _MICROSECOND}


_WRITERS = (
    (str, _write_text),
    (int, _write_integer),
    (float, lambda value, _where, _depth: float(value)),
    (tuple, _write_tuple),
    (dict, _write_dict),
    (list, _write_items),
    (_LAZY, _write_items),
    (datetime.datetime, _write_datetime),
)


def _without_numpy(value):
    """numpy and torch scalars and arrays as Python's own; others as they are."""
    if hasattr(value, "tolist") and (hasattr(value, "dtype") or hasattr(value, "shape")):
        return value.tolist()
    if hasattr(value, "items") and hasattr(value, "keys"):  # Mapping, immutabledict
        return dict(value.items())
    return value


def encode_line(message):
    """ASCII, so that no encoding can break a line."""
    return json.dumps(message).encode("ascii") + b"\n"


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and not math.isnan(value)
