"""Reads lm-eval's task folder: which task names which helper functions, and for what."""

import os
from pathlib import Path
from typing import NamedTuple, Optional

import yaml


class Ref(NamedTuple):
    """A !function of a task."""

    file: Optional[Path]  # None if there is none beside the YAML
    function: str
    use: str  # "documents", "field", "results", "metric", "aggregation", "filter", "samples", "custom_dataset"


class Loader(yaml.CSafeLoader):
    """Reads !function as a marked text."""


class Function(str):
    pass


Loader.add_constructor("!function", lambda loader, node: Function(node.value))


def use_of(field):
    last = field.rsplit(".", 1)[-1]
    if last == "process_docs":
        return "documents"
    if last.startswith("doc_to_") or last in ("gen_prefix", "description"):
        return "field"
    named = {"process_results": "results", "aggregation": "aggregation", "metric": "metric", "samples": "samples",
             "custom_dataset": "custom_dataset"}
    return named.get(last, "filter" if field.startswith("filter_list") else "other")


def find_functions(value, folder, field=""):
    if isinstance(value, tuple):
        folder, value = value
    if isinstance(value, Function):
        module, function = value.rsplit(".", 1)
        file = Path(folder, *module.split(".")).with_suffix(".py")
        yield Ref(file if file.exists() else None, function, use_of(field))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from find_functions(item, folder, f"{field}.{key}" if field else str(key))
    elif isinstance(value, list):
        for item in value:
            yield from find_functions(item, folder, field)


class Reader:
    def __init__(self):
        self.files = {}

    def raw(self, path):
        path = os.path.normpath(path)
        if path not in self.files:
            self.files[path] = yaml.load(Path(path).read_bytes(), Loader)
        return self.files[path]

    def merged(self, path):
        """The fields with the folder each comes from."""
        config = self.raw(path)
        includes = config.get("include", [])
        fields = {}
        for include in [includes] if isinstance(includes, str) else includes:
            fields.update(self.merged(os.path.join(os.path.dirname(path), include)))
        fields.pop("task_list", None)
        fields.update({k: (os.path.dirname(path), v) for k, v in config.items() if k != "include"})
        return fields


def functions_of_tasks(folder):
    """{task: [Ref, ...]} of every task in the folder that no Python class implements."""
    reader, tasks = Reader(), {}
    for path in sorted(Path(folder).rglob("*.yaml")):
        try:
            config = reader.raw(str(path))
            if not isinstance(config, dict) or "group" in config or "task" not in config:
                continue
            fields = reader.merged(str(path))
        except (yaml.YAMLError, OSError):
            continue
        name = config["task"]
        if "class" in fields or not isinstance(name, str) or name in tasks:
            continue
        tasks[name] = [ref for field, value in fields.items() for ref in find_functions(value, "", field)]
    return tasks
