"""Starts the model worker: python -I -c <this text>. The first line on descriptor 3 brings the other sources
and the settings (docs/formats/worker-protocol.md)."""

import ctypes
import json
import os
import signal
import sys
import types

_PR_SET_PDEATHSIG = 1


def die_with_parent():
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def take_channel():
    """The channel, moved away from 3, where libraries and their children find nothing from here on."""
    channel = os.dup(3)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 3, inheritable=False)
    if nothing != 3:
        os.close(nothing)
    return os.fdopen(channel, "r+b", buffering=0)


def load(sources):
    """The sources as modules of a package that no file on disk can stand for."""
    package = types.ModuleType("tare_model")
    package.__path__ = []
    sys.modules["tare_model"] = package
    for name, source in sources:
        module = types.ModuleType(f"tare_model.{name}")
        sys.modules[module.__name__] = module
        setattr(package, name, module)
        exec(compile(source, f"<tare {name}.py>", "exec"), module.__dict__)
    return package


def main():
    die_with_parent()
    channel = take_channel()
    reader = os.fdopen(os.dup(channel.fileno()), "rb")
    sys.stdout.reconfigure(line_buffering=True)
    start = json.loads(reader.readline())
    load(start["sources"]).loop.serve(reader, channel, start)


main()
