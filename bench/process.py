"""Runs a program and measures it."""

import os
import resource
import subprocess
import time
from dataclasses import dataclass


class Failed(Exception):
    """A program did not do what a row needs; the text is one line for a person."""


@dataclass
class Run:
    """A finished process. `others` is the share of the machine's processor time that went to other
    processes meanwhile: 0 on a quiet machine."""
    seconds: float
    output: str
    errors: str
    peak_kib: int
    others: float


def busy_seconds():
    """Processor seconds that the whole machine has spent on anything since it started."""
    with open("/proc/stat") as file:
        fields = [int(word) for word in file.readline().split()[1:]]
    idle = fields[3] + fields[4]
    return (sum(fields[:8]) - idle) / os.sysconf("SC_CLK_TCK")


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command, cwd=None, environment=None, ok=(0,)):
    """The finished run of `command`; raises Failed when its exit code is none of `ok`."""
    command = [str(word) for word in command]
    busy, own, begin = busy_seconds(), children_seconds(), time.monotonic()
    process = subprocess.Popen(command, cwd=cwd, env=dict(os.environ, **(environment or {})),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, errors="replace")
    output, errors = process.communicate()
    seconds = time.monotonic() - begin
    others = (busy_seconds() - busy - (children_seconds() - own)) / (seconds * (os.cpu_count() or 1))
    if process.returncode not in ok:
        last = (errors or output).strip().splitlines()[-1:] or ["it said nothing"]
        raise Failed(f"{os.path.basename(command[0])} ended with {process.returncode}: {last[0]}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return Run(seconds, output, errors, peak, max(0.0, others))
