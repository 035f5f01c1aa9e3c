"""Makes a Python environment: python -I -c <this text>. One line on descriptor 3 says where and of what, one
line there says what came of it. What venv and pip print goes where they print it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile


def run(words):
    done = subprocess.run(words, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words[:4])} ... ended with exit code {done.returncode}")


def install(folder, steps):
    """Each step is a requirement file's text, and whether what it names brings its dependencies along."""
    shutil.rmtree(folder, ignore_errors=True)
    run([sys.executable, "-m", "venv", folder])
    pip = [os.path.join(folder, "bin", "python"), "-m", "pip"]
    for step in steps:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(step["requirements"])
            file.flush()
            more = [] if step["dependencies"] else ["--no-deps"]
            run([*pip, "install", "--disable-pip-version-check", "--no-input", *more, "-r", file.name])
    frozen = subprocess.run([*pip, "freeze"], stdout=subprocess.PIPE, text=True, check=True).stdout
    with open(os.path.join(folder, "packages.txt"), "w") as file:
        file.write(frozen)
    return frozen.split()


def main():
    channel = os.dup(3)
    os.close(3)
    with os.fdopen(channel, "r+b", buffering=0) as both:
        start = json.loads(both.readline())
        try:
            answer = {"packages": install(start["folder"], start["steps"])}
        except (OSError, RuntimeError, subprocess.SubprocessError) as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        both.write(json.dumps(answer).encode() + b"\n")


main()
