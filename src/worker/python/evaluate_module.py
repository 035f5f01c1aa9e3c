"""Stands before the package `evaluate`: its code_eval is tare's own, the rest is the package's, if there."""

import importlib
import sys
import types

from tare_worker import code_eval


class _Programs:
    """What evaluate.load("code_eval") answers."""

    name = "code_eval"

    def compute(self, predictions=None, references=None, k=(1, 10, 100), num_workers=4, timeout=3.0):
        if not _allowed:
            raise PermissionError(
                "this task runs programs that a model wrote; allow it with --confirm-run-unsafe-code"
            )
        return code_eval.compute(predictions, references, k, num_workers, timeout)


_allowed = False
_ours = types.ModuleType("evaluate")


def _real():
    """The package itself, imported past the stand-in."""
    sys.modules.pop("evaluate", None)
    try:
        return importlib.import_module("evaluate")
    finally:
        sys.modules["evaluate"] = _ours


def _load(path, *args, **kwargs):
    return _Programs() if path == "code_eval" else _real().load(path, *args, **kwargs)


def _attribute(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(_real(), name)


def install():
    _ours.load = _load
    _ours.__getattr__ = _attribute
    sys.modules["evaluate"] = _ours


def prepare(settings):
    """{"allowed", "sandbox", "fault"}: what becomes of programs that a model wrote."""
    global _allowed
    if not settings["run_unsafe_code"]:
        return {"allowed": False, "sandbox": "", "fault": ""}
    try:
        sandbox = code_eval.prove()
    except code_eval.NoSandbox as error:
        return {"allowed": False, "sandbox": "", "fault": str(error)}
    _allowed = True
    return {"allowed": True, "sandbox": sandbox, "fault": ""}
