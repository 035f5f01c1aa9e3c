"""The worker's conversation: one request a line, one reply a line, until the channel ends."""

import importlib.util
import os
import platform
import random
import resource
import sys
import traceback

from tare_worker import confine, dataset, evaluate_module, modules, uses, values

_KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "TZ", "HF_HOME", "HF_DATASETS_CACHE", "NLTK_DATA", "LD_LIBRARY_PATH")


def _clean_environment():
    """Helpers see no tokens and no setting but those that say where files are."""
    for name in list(os.environ):
        if name not in _KEPT and not name.startswith("LC_"):
            del os.environ[name]
    os.environ.update(
        HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", TOKENIZERS_PARALLELISM="false", OMP_NUM_THREADS="1"
    )


def _confine(settings):
    """Limits, and namespaces without a network; "" or why the latter could not be had."""
    confine.limit("RLIMIT_CORE", 0)
    confine.limit("RLIMIT_AS", settings["memory_bytes"])
    confine.limit("RLIMIT_FSIZE", settings["file_bytes"])
    confine.limit("RLIMIT_NOFILE", 1024)
    try:
        confine.enter(confine.NEWNET | confine.NEWIPC)
        return ""
    except OSError as error:
        return error.strerror or str(error)
    finally:
        confine.die_with_parent()


def _seed():
    """As lm-eval's command line does before it loads tasks."""
    random.seed(0)
    if importlib.util.find_spec("numpy") is not None:
        import numpy

        numpy.random.seed(1234)


def _last_line(error):
    lines = traceback.format_exception_only(type(error), error)
    text = " ".join(lines[-1].split())
    return text if len(text) <= 500 else text[:500] + " …"


def _where(error):
    """File and line of the innermost frame that is not the worker's own."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith("<tare ")]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def _missing(name, text):
    package, inside, _ = name.partition(".")
    what = f"a version of the Python package {package} with {name}" if inside else f"the Python package {package}"
    return (
        f"it needs {what}, which {sys.executable} lacks; "
        f"install it there or name another interpreter with --python PATH ({text})"
    )


def _explain(error):
    text = _last_line(error)
    if isinstance(error, ModuleNotFoundError) and error.name:
        return _missing(error.name, text)
    if isinstance(error, (modules.Missing, values.Unfit)):
        return str(error)
    where = _where(error)
    return f"{text} ({where})" if where else text


def _apply(request):
    function = modules.find(request["name"], request["folder"], request["file"], request["sha256"])
    arguments = values.read(request["arguments"])
    with modules.siblings(request["folder"]):
        return values.write(uses.USES[request["use"]](function, *arguments))


def _answer(request, call_seconds):
    confine.allow_cpu_seconds(call_seconds * (os.cpu_count() or 1) + 60)
    try:
        if request["use"] == "is_importable":
            return {"value": modules.is_importable(request["name"])}
        return {"value": _apply(request)}
    except (Exception, SystemExit) as error:
        return {"error": _explain(error)}


def _introduce(no_network_fault, settings):
    return {
        "executable": sys.executable,
        "python": platform.python_version(),
        "network_fault": no_network_fault,
        "programs": evaluate_module.prepare(settings),
        "memory_bytes": resource.getrlimit(resource.RLIMIT_AS)[0],
    }


def serve(reader, channel, settings):
    _clean_environment()
    fault = _confine(settings)
    _seed()
    evaluate_module.install()
    dataset.install()
    sys.dont_write_bytecode = True
    _send(channel, {"id": 0, "value": _introduce(fault, settings), "files": {}})
    while line := reader.readline():
        request = values.decode_line(line)
        reply = _answer(request, settings["call_seconds"])
        _send(channel, {"id": request["id"], **reply, "files": modules.new_files()})


def _send(channel, message):
    data = memoryview(values.encode_line(message))
    while data:
        data = data[channel.write(data) :]
