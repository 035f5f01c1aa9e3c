"""Takes rights away from the own process: namespaces, limits, capabilities. Linux only; elsewhere and
where the system forbids it, the functions raise OSError and the caller says what is missing."""

import ctypes
import os
import resource
import signal

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = (
    0x00020000,
    0x04000000,
    0x08000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
NOBODY = 65534
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38

libc = ctypes.CDLL(None, use_errno=True)


def check(result, what):
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def die_with_parent():
    """Has to follow each change of the user's id: that forgets it."""
    check(libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl")


def _write(path, text):
    with open(path, "w") as file:
        file.write(text)


def _id_maps(uid, gid):
    """Best first. Root keeps itself and nobody, so that a program can be run as nobody later."""
    if uid == 0:
        yield f"0 0 1\n{NOBODY} {NOBODY} 1\n", f"0 0 1\n{NOBODY} {NOBODY} 1\n"
    yield f"{uid} {uid} 1\n", f"{gid} {gid} 1\n"


def _map_ids(process, uid, gid):
    """True if a map could be written for `process`, which has just made its user namespace."""
    for number, (users, groups) in enumerate(_id_maps(uid, gid)):
        try:
            if uid != 0 or number > 0:
                _write(f"/proc/{process}/setgroups", "deny")
            _write(f"/proc/{process}/gid_map", groups)
            _write(f"/proc/{process}/uid_map", users)
            return True
        except OSError:
            continue
    return False


def enter(flags):
    """Moves this process into new namespaces. The ids are mapped from outside: only there does root
    have the right to map more than itself."""
    uid, gid, target = os.geteuid(), os.getegid(), os.getpid()
    ready_read, ready_write = os.pipe()
    helper = os.fork()
    if helper == 0:
        os.close(ready_write)
        made = os.read(ready_read, 1) == b"y"
        os._exit(0 if made and _map_ids(target, uid, gid) else 1)
    os.close(ready_read)
    try:
        check(libc.unshare(flags | NEWUSER), "unshare")
        os.write(ready_write, b"y")
    finally:
        os.close(ready_write)
        _, status = os.waitpid(helper, 0)
    if status != 0:
        raise OSError(1, "the ids of a user namespace can't be mapped")


def limit(name, value):
    """Both limits of `name`, but never above what the process has now."""
    number = getattr(resource, name, None)
    if number is None:
        return
    _, hard = resource.getrlimit(number)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(number, (value, value))


def allow_cpu_seconds(seconds):
    """Bounds what this process may use from now on; a soft limit, so that the next call can move it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    wanted = int(used.ru_utime + used.ru_stime + seconds) + 1
    wanted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (wanted, hard))


class _CapHeader(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _CapData(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("effective", "permitted", "inheritable")]


def drop_rights():
    """For good: no capabilities, and none by running another program. Root becomes nobody."""
    check(libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    header = _CapHeader(0x20080522, 0)
    check(libc.capset(ctypes.byref(header), (_CapData * 2)()), "capset")
