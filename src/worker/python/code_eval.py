"""Judges programs by running them in the jail: the engine behind evaluate.load("code_eval")."""

import json
import math
import os
import secrets
import shutil
import subprocess
import sys

from tare_worker import confine, jail

_LIMITS = {"memory_bytes": 1 << 30, "file_bytes": 16 << 20, "tmp_bytes": 64 << 20, "processes": 16}
_GRACE_SECONDS = 20
# Proves each wall; the time limit and what becomes of processes left behind need no proof of their own.
_CHECKS = """
import os, posix, socket, time
for place in ("/", "/usr", "/usr/lib"):
    try:
        open(place + "/tare-probe", "w")
    except OSError:
        continue
    raise AssertionError(place + " can be written")
try:
    socket.create_connection(("192.0.2.1", 9), timeout=0.2)
except TimeoutError:
    raise AssertionError("there is a network")
except OSError as error:
    assert error.errno == 101, error
assert not os.environ
open("/tmp/probe", "w").write("x")
for _ in range(64):
    try:
        if posix.fork() == 0:
            time.sleep(60)
    except OSError:
        break
else:
    raise AssertionError("processes are not limited")
"""


class NoSandbox(Exception):
    """Programs can't be confined here, so none is run."""


_wrap = None  # the command that the jail is started with, once a way was proved to work


# Makes `from tare_worker import confine` work in a process of its own.
_PREPARE = """import sys, types
package = sys.modules["tare_worker"] = types.ModuleType("tare_worker")
confine = package.confine = sys.modules["tare_worker.confine"] = types.ModuleType("tare_worker.confine")
exec({confine!r}, confine.__dict__)
exec({jail!r})
"""


def _visible():
    """Folders that the interpreter needs, with the places where they are to be seen."""
    wanted = {sys.prefix, sys.base_prefix, sys.exec_prefix, *(p for p in sys.path if os.path.isdir(p))}
    kept = []
    for path in sorted({os.path.realpath(path) for path in wanted} | wanted, key=len):
        if path != "/" and not any(path == k or path.startswith(k + "/") for k in ("/usr", *kept)):
            kept.append(path)
    return [(os.path.realpath(path), path) for path in kept]


def _bubblewrap(program):
    words = [program, "--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]
    words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--cap-drop", "ALL"]
    words += ["--uid", str(confine.NOBODY), "--gid", str(confine.NOBODY)]
    for place in ("/usr", "/bin", "/lib", "/lib64", "/sbin"):
        words += ["--ro-bind-try", place, place]
    for source, place in _visible():
        words += ["--ro-bind", source, place]
    return [*words, "--remount-ro", "/", "--chdir", "/tmp", "--"]


def _command(wrap):
    text = _PREPARE.format(confine=confine.SOURCE, jail=jail.SOURCE)
    return [*wrap, sys.executable, "-I", "-c", text]


def _run(wrap, program, seconds):
    """The verdict on one program. Raises NoSandbox if it could not be confined."""
    secret = secrets.token_hex(16)
    order = {
        "program": program,
        "seconds": seconds,
        "secret": secret,
        "limits": _LIMITS,
        "visible": _visible(),
        "namespaces": not wrap,
    }
    child = subprocess.Popen(
        _command(wrap),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={},
        start_new_session=True,
    )
    try:
        out, _ = child.communicate(json.dumps(order).encode() + b"\n", timeout=seconds + _GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        return "timed out"
    return _verdict(out, secret)


def _verdict(out, secret):
    for line in out.splitlines():
        try:
            answer = json.loads(line)
        except ValueError:
            continue
        if isinstance(answer, dict) and "fault" in answer:
            raise NoSandbox(answer["fault"])
        if isinstance(answer, dict) and answer.get("secret") == secret:
            return answer["verdict"]
    return "timed out"  # code_eval's word for a program that ended without an outcome


def prove():
    """Finds a way to confine programs and tries it; returns its name. Raises NoSandbox with all reasons."""
    global _wrap
    reasons = []
    ways = [("namespaces", [])]
    if bubblewrap := shutil.which("bwrap"):
        ways.append(("bubblewrap", _bubblewrap(bubblewrap)))
    for name, wrap in ways:
        try:
            verdict = _run(wrap, _CHECKS, 5)
            if verdict == "passed":
                _wrap = wrap
                return name
            reasons.append(f"{name}: {verdict}")
        except (NoSandbox, OSError) as error:
            reasons.append(f"{name}: {error}")
    raise NoSandbox("; ".join(reasons))


def judge(program, seconds=3.0):
    if _wrap is None:
        prove()
    return _run(_wrap, program, seconds)


def pass_at(total, correct, k):
    """The unbiased estimate of Chen et al. 2021, section 2.1."""
    if total - correct < k:
        return 1.0
    return 1.0 - math.prod(1.0 - k / n for n in range(total - correct + 1, total + 1))


def compute(predictions, references, k=(1, 10, 100), num_workers=4, timeout=3.0):
    """As code_eval: pass@k over tasks with at least k programs, and each program's outcome."""
    del num_workers
    results, totals, corrects = {}, [], []
    for task, (candidates, test) in enumerate(zip(predictions, references)):
        outcomes = [judge(f"{candidate}\n{test}", timeout) for candidate in candidates]
        results[task] = [
            (i, {"task_id": task, "passed": text == "passed", "result": text, "completion_id": i})
            for i, text in enumerate(outcomes)
        ]
        totals.append(len(candidates))
        corrects.append(sum(text == "passed" for text in outcomes))
    estimates = {
        f"pass@{size}": math.fsum(pass_at(n, c, size) for n, c in zip(totals, corrects)) / len(totals)
        for size in k
        if all(n >= size for n in totals)
    }
    return estimates, results
