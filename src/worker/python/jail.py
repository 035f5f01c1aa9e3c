"""Runs one program where it can harm nothing, and says how it went. code_eval starts it with a line of JSON
on stdin; the answer is a line on stdout that holds the given secret. Three processes: this one waits, the second is the first of its own process namespace, in a tree of
read-only folders and a small private /tmp, and the third, without rights, runs the program."""

import builtins
import ctypes
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys

from tare_worker import confine

_RDONLY, _NOSUID, _NODEV, _REMOUNT, _BIND, _REC, _PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
_DETACH = 2
_SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_SYS_MOUNT_SETATTR, _AT_RECURSIVE = 442, 0x8000
_TOP = ("/usr", "/bin", "/lib", "/lib64", "/sbin")
_DEVICES = ("null", "zero", "full", "random", "urandom")


class _MountAttr(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns")]


def _mount(source, target, kind, flags, data=None):
    texts = [None if text is None else text.encode() for text in (source, target, kind)]
    result = confine.libc.mount(*texts, ctypes.c_ulong(flags), None if data is None else data.encode())
    confine.check(result, f"mount {target}")


def _pivot(new, old):
    number = _SYS_PIVOT_ROOT.get(os.uname().machine)
    if number is None:
        raise OSError(38, f"pivot_root is not known for {os.uname().machine}")
    confine.check(confine.libc.syscall(number, new.encode(), old.encode()), "pivot_root")


def _make_read_only(path):
    """With all that is mounted below."""
    wanted = _MountAttr(_RDONLY | _NOSUID | _NODEV, 0, 0, 0)
    result = confine.libc.syscall(
        _SYS_MOUNT_SETATTR, -100, path.encode(), _AT_RECURSIVE, ctypes.byref(wanted), ctypes.sizeof(wanted)
    )
    confine.check(result, f"mount_setattr {path} (Linux 5.12 or later)")


def _show(source, place):
    """Makes a folder of the old tree, named without symbolic links, visible as `place`, read-only."""
    target = "/new" + place
    os.makedirs(target, exist_ok=True)
    _mount("/old" + source, target, None, _BIND | _REC)
    _make_read_only(target)


def _show_top(place):
    if os.path.islink("/old" + place):
        os.symlink(os.readlink("/old" + place), "/new" + place)
    elif os.path.isdir("/old" + place):
        _show(place, place)


def _show_devices():
    os.mkdir("/new/dev")
    for name in _DEVICES:
        target = f"/new/dev/{name}"
        open(target, "w").close()
        _mount(f"/old/dev/{name}", target, None, _BIND)


def _build_root(visible, tmp_bytes):
    _mount("none", "/", None, _REC | _PRIVATE)
    _mount("tmpfs", "/tmp", "tmpfs", _NOSUID | _NODEV, "mode=755")
    os.mkdir("/tmp/old")
    _pivot("/tmp", "/tmp/old")
    os.chdir("/")
    os.mkdir("/new")
    _mount("tmpfs", "/new", "tmpfs", _NOSUID | _NODEV, "mode=755,size=1m")
    os.mkdir("/new/tmp")
    _mount("tmpfs", "/new/tmp", "tmpfs", _NOSUID | _NODEV, f"mode=1777,size={tmp_bytes}")
    for place in _TOP:
        _show_top(place)
    for source, place in visible:
        _show(source, place)
    _show_devices()
    os.chdir("/new")
    _pivot(".", ".")
    confine.check(confine.libc.umount2(b".", _DETACH), "umount of the old root")
    os.chdir("/tmp")
    _mount(None, "/", None, _REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV)


def _guard():
    """The functions that HF evaluate's code_eval takes from a program, so that the judgement is the same."""
    builtins.exit = builtins.quit = builtins.help = None
    for name in (
        "kill system putenv remove removedirs rmdir fchdir setuid fork forkpty killpg rename renames truncate "
        "replace unlink fchmod fchown chmod chown chroot lchflags lchmod lchown getcwd chdir"
    ).split():
        setattr(os, name, None)
    for name in ("rmtree", "move", "chown"):
        setattr(shutil, name, None)
    subprocess.Popen = None
    for name in ("ipdb", "joblib", "resource", "psutil", "tkinter"):
        sys.modules[name] = None


def _load_numpy(program):
    """numpy can't be imported once the guard is up; code_eval's programs find it loaded by its parent."""
    if "numpy" not in program:
        return
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    try:
        importlib.import_module("numpy")
    except ImportError:
        pass
    os.environ.clear()


def _silence():
    null = os.open("/dev/null", os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


class _TimedOut(Exception):
    pass


def _on_alarm(_signal, _frame):
    raise _TimedOut


def _judge(program, seconds):
    """"passed", "timed out" or "failed: why", as code_eval words it."""
    signal.signal(signal.SIGALRM, _on_alarm)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            exec(program, {})
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        return "passed"
    except _TimedOut:
        return "timed out"
    except BaseException as error:
        return f"failed: {error}"


def _run(order, answer):
    limits = order["limits"]
    confine.drop_rights()
    confine.limit("RLIMIT_CORE", 0)
    confine.limit("RLIMIT_AS", limits["memory_bytes"])
    confine.limit("RLIMIT_FSIZE", limits["file_bytes"])
    confine.limit("RLIMIT_NOFILE", 64)
    confine.limit("RLIMIT_NPROC", limits["processes"])
    confine.limit("RLIMIT_CPU", int(order["seconds"]) + 2)
    os.environ.clear()
    _silence()
    _load_numpy(order["program"])
    _guard()
    verdict = _judge(order["program"], order["seconds"])
    _say(answer, {"secret": order["secret"], "verdict": verdict[:500]})
    os._exit(0)


def _guard_time(order, answer):
    """Ends this process, and with it the program, a second after the program should have ended."""

    def end(_signal, _frame):
        _say(answer, {"secret": order["secret"], "verdict": "timed out"})
        os._exit(0)

    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, order["seconds"] + 1)


def _say(answer, message):
    os.write(answer, json.dumps(message).encode() + b"\n")


def _second(order, answer):
    """First process of the namespace: when it ends, all others in it do."""
    confine.die_with_parent()
    if order["namespaces"]:
        _build_root(order["visible"], order["limits"]["tmp_bytes"])
    program = os.fork()
    if program == 0:
        _run(order, answer)
    _guard_time(order, answer)
    while os.wait()[0] != program:
        pass


def main():
    confine.die_with_parent()
    order = json.loads(sys.stdin.readline())
    answer = os.dup(1)
    try:
        if order["namespaces"]:
            confine.enter(confine.NEWNS | confine.NEWPID | confine.NEWNET | confine.NEWIPC | confine.NEWUTS)
            confine.die_with_parent()
        second = os.fork()
        if second == 0:
            _second(order, answer)
        else:
            os.waitpid(second, 0)
    except BaseException as error:
        _say(answer, {"fault": str(error)})
    os._exit(0)


main()
