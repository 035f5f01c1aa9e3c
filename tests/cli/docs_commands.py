"""Runs every `tare ...` command of the documentation's sh blocks. Usage: docs_commands.py TARE

model.gguf in a command stands for the demo model; where it is not in the cache, the commands that
need it are skipped. A server at localhost:8000 is one of tests/http. A yaml block whose first line is a comment with a file name is that file. `make` and `apt-get` lines are what .ci/run itself runs.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "http"))

from model_server import ModelServer  # noqa: E402
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.M | re.S)
FILE = re.compile(r"^```yaml\n# ([\w.-]+)\n(.*?)^```", re.M | re.S)


def documents():
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def commands():
    for path in documents():
        for block in BLOCK.findall(path.read_text()):
            for line in block.replace("\\\n", " ").splitlines():
                if line.startswith("tare "):
                    yield path.relative_to(ROOT), line


def files():
    for path in documents():
        yield from FILE.findall(path.read_text())


def demo_model():
    default = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "tare"
    cache = pathlib.Path(os.environ.get("TARE_CACHE_DIR", default))
    return cache / "models" / "smollm2-135m-instruct-q4_1.gguf"


def main(tare):
    passed = failed = skipped = 0
    server = ModelServer()
    with tempfile.TemporaryDirectory() as folder:
        if demo_model().is_file():
            os.symlink(demo_model(), os.path.join(folder, "model.gguf"))
        for name, text in files():
            pathlib.Path(folder, name).write_text(text)
        for path, line in commands():
            if "model.gguf" in line and not os.path.exists(os.path.join(folder, "model.gguf")):
                print(f"SKIPPED: {line}: the demo model is not in the cache (tools/fetch.sh demo-model)")
                skipped += 1
                continue
            line = line.replace("http://localhost:8000/v1", server.url)
            done = subprocess.run([os.path.abspath(tare)] + shlex.split(line)[1:], cwd=folder,
                                  capture_output=True, text=True)
            passed, failed = passed + (done.returncode == 0), failed + (done.returncode != 0)
            if done.returncode != 0:
                print(f"{path}: {line}: exit code {done.returncode}\n{done.stderr}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or passed + skipped == 0 else 0


sys.exit(main(sys.argv[1]))
