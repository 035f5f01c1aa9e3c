"""lm-eval's task folder as plain dictionaries: includes merged, functions named but not run."""

import os
from dataclasses import dataclass
from pathlib import Path

import yaml

SKIPPED_FOLDERS = {"__pycache__", ".ipynb_checkpoints"}


@dataclass(frozen=True)
class Function:
    """What `!function a.b.name` means: a file below the folder it is written in, and a name there."""

    file: str
    name: str


PACKAGE = "lm_eval.tasks."


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    folder = root = ""


def _function(loader, node):
    module, _, name = loader.construct_scalar(node).rpartition(".")
    folder = loader.root if module.startswith(PACKAGE) else loader.folder
    return Function(os.path.normpath(f"{folder}/{module.removeprefix(PACKAGE).replace('.', '/')}.py"), name)


_Loader.add_constructor("!function", _function)


class TaskFolder:
    """Reads files once; `tasks` holds every task of the index by name, in the index's order."""

    def __init__(self, root):
        self.root = Path(root)
        self._files = {}
        self.tasks = {}
        self.places = {}
        for file in self._yaml_files():
            self._add(file)

    def _yaml_files(self):
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".yaml"))

    def _add(self, file):
        try:
            config = self._merged(file)
        except (yaml.YAMLError, OSError):
            return
        if not isinstance(config, dict) or "class" in config or "group" in config or "task" not in config:
            return
        if isinstance(config["task"], str) and config["task"] not in self.tasks:
            self.tasks[config["task"]] = config
            self.places[config["task"]] = os.path.relpath(file, self.root)

    def _read(self, file):
        if file not in self._files:
            with open(file, "rb") as stream:
                loader = _Loader(stream)
                loader.folder, loader.root = os.path.dirname(file), str(self.root)
                self._files[file] = loader.get_single_data()
        return self._files[file]

    def _merged(self, file):
        own = self._read(file)
        if not isinstance(own, dict) or "include" not in own:
            return own
        includes = own["include"] if isinstance(own["include"], list) else [own["include"]]
        merged = {}
        for name in includes:
            part = dict(self._merged(os.path.normpath(os.path.join(os.path.dirname(file), name))))
            part.pop("task_list", None)
            merged.update(part)
        merged.update(own)
        merged.pop("include")
        return merged


def functions_in(value):
    """Every Function anywhere inside a YAML value."""
    if isinstance(value, Function):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from functions_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from functions_in(part)
