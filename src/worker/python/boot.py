"""Starts the worker: python3 -I -c <this text>. The first line on descriptor 3 brings the other sources
and the settings. Names no task can clash with; nothing foreign is loaded before the process is confined."""

import json
import sys
import types


def main():
    channel = open(3, "r+b", buffering=0)
    reader = open(3, "rb", closefd=False)
    start = json.loads(reader.readline())
    package = types.ModuleType("tare_worker")
    package.__path__ = []
    sys.modules["tare_worker"] = package
    for name, source in start["sources"]:
        module = types.ModuleType(f"tare_worker.{name}")
        module.__dict__["SOURCE"] = source
        sys.modules[module.__name__] = module
        setattr(package, name, module)
        if name != "jail":  # runs in a process of its own
            exec(compile(source, f"<tare {name}.py>", "exec"), module.__dict__)
    package.loop.serve(reader, channel, start["settings"])


main()
