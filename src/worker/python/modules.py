"""Finds the function that a task's YAML names, where lm-eval finds it: the file beside the YAML, else an
importable module. Keeps the hash of each file that was loaded from beside a YAML."""

import contextlib
import hashlib
import importlib
import importlib.util
import os
import sys
import types

_TREE = "/lm_eval/tasks/"


class Missing(Exception):
    """The function, its file or a package that it needs is not there."""


_loaded = {}
_folders = set()
_looked_at = set()
_counted = 0  # modules when new_files() last looked through them


def find(name, folder, file, sha256):
    """The object named `name`; its file is read once and stays loaded with its state."""
    path, _, function = name.rpartition(".")
    if not path:
        raise Missing(f"{name!r} names no module")
    module = _from_file(file, sha256) if file else _importable(path)
    try:
        return getattr(module, function)
    except AttributeError:
        where = file or path
        raise Missing(f"{where} has no function {function}") from None


def is_importable(name):
    """True if the module part of a dotted name can be found."""
    path = name.rpartition(".")[0]
    try:
        return bool(path) and importlib.util.find_spec(path) is not None
    except (ImportError, ValueError):
        return False


def _from_file(file, sha256):
    file = os.path.realpath(file)
    if file not in _loaded:
        _loaded[file] = _load(file, sha256)
    return _loaded[file]


def _load(file, sha256):
    with open(file, "rb") as stream:
        source = stream.read()
    if sha256 and hashlib.sha256(source).hexdigest() != sha256:
        raise Missing(f"{file} has changed since it was first read; run again")
    _folders.add(os.path.dirname(file))
    name = _module_name(file)
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with siblings(os.path.dirname(file)):
            exec(compile(source, file, "exec"), module.__dict__)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    if "torch" in sys.modules and not hasattr(sys.modules["torch"], "_tare_seeded"):
        sys.modules["torch"].manual_seed(1234)
        sys.modules["torch"]._tare_seeded = True
    return module


def _module_name(file):
    stem = file.removesuffix(".py")
    if _TREE not in file:
        return stem
    tree, _, inside = stem.partition(_TREE)
    _stand_in_for_lm_eval(tree + _TREE)
    return "lm_eval.tasks." + inside.replace("/", ".")


def _stand_in_for_lm_eval(tree):
    """Without the package, tasks of its own tree can still import each other."""
    if "lm_eval" in sys.modules or importlib.util.find_spec("lm_eval") is not None:
        return
    for name, path in (("lm_eval", []), ("lm_eval.tasks", [tree])):
        module = types.ModuleType(name)
        module.__path__ = path
        module.__spec__ = importlib.util.spec_from_loader(name, None, is_package=True)
        sys.modules[name] = module
    sys.modules["lm_eval"].tasks = sys.modules["lm_eval.tasks"]


@contextlib.contextmanager
def siblings(folder):
    """Lets `import helpers` find helpers.py beside the file, and another task's import its own."""
    before = set(sys.modules)
    sys.path.append(folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
        for name in set(sys.modules) - before:
            origin = getattr(sys.modules[name], "__dict__", {}).get("__file__")
            if "." not in name and origin and os.path.dirname(os.path.realpath(origin)) == folder:
                _loaded.setdefault(os.path.realpath(origin), sys.modules.pop(name))


def _importable(path):
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError as error:
        if error.name and (path == error.name or path.startswith(error.name + ".")):
            raise Missing(f"there is no file {path.replace('.', '/')}.py beside the task") from error
        raise


def new_files():
    """Path and SHA-256 of the task files that were loaded since the last call."""
    global _counted
    found = {}
    if (count := len(sys.modules) + len(_loaded)) == _counted:
        return found
    _counted = count
    for module in list(sys.modules.values()) + list(_loaded.values()):
        origin = getattr(module, "__dict__", {}).get("__file__")
        if not isinstance(origin, str) or origin in _looked_at:
            continue
        _looked_at.add(origin)
        path = os.path.realpath(origin)
        if path.endswith(".py") and (_TREE in path or os.path.dirname(path) in _folders):
            with open(path, "rb") as stream:
                found[path] = hashlib.sha256(stream.read()).hexdigest()
    return found
