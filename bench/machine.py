"""What the figures were measured on."""

import hashlib
import os
import pathlib
import platform
import re
import subprocess


def text_of(path):
    try:
        return pathlib.Path(path).read_text()
    except OSError:
        return ""


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def first_line(command):
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    except OSError:
        return ""
    return (done.stdout or done.stderr).strip().split("\n")[0]


def describe(settings):
    model = re.search(r"^model name\s*: (.*)$", text_of("/proc/cpuinfo"), re.M)
    memory = re.search(r"^MemTotal:\s*(\d+)", text_of("/proc/meminfo"), re.M)
    commit = first_line(["git", "-C", settings.bench, "rev-parse", "HEAD"])
    changed = first_line(["git", "-C", settings.bench, "status", "--porcelain", "--untracked-files=no"])
    return {
        "cpu": model[1] if model else platform.machine(),
        "cores": os.cpu_count(),
        "memory_gib": round(int(memory[1]) / 2**20, 1) if memory else None,
        "kernel": platform.release(),
        "load_average_at_start": os.getloadavg()[0],
        "tier": settings.tier or None,
        "threads": settings.threads,
        "tare": first_line([settings.tare, "--version"]),
        "tare_sha256": sha256(settings.tare),
        "commit": commit + (" with changes" if changed else ""),
        "peer_packages": [line for line in (settings.bench / "requirements.txt").read_text().splitlines()
                          if "==" in line],
    }


def peer_hashes(settings):
    folder = settings.peers
    names = ("llama-bench", "llama-batched-bench", "llama-perplexity", f"libggml-cpu-{settings.tier}.so")
    return {name: sha256(folder / name) for name in names if folder and (folder / name).is_file()}
