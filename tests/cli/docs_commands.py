"""Runs every `tare ...` command of the documentation's sh blocks. Usage: docs_commands.py TARE [PAGE...]   (default: all, without times)

model.gguf in a command stands for the demo model; where it is not in the cache, the commands that
need it are skipped. A server at localhost:8000 is one of tests/http. A yaml block whose first line is a comment with a file name is that
file, and so is a block with a name behind its language. A text block right behind an sh block is what its last command prints: the
same words; numbers may be others, and the widths of columns. Other lines of sh blocks have to be in ELSEWHERE, which says what runs them.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "http"))

from model_server import ModelServer  # noqa: E402
BLOCK = re.compile(r"^```sh\n(.*?)^```(?:\n+```text\n(.*?)^```)?", re.M | re.S)
# Lines that are not of this program: the test that runs such a line, and where in it.
ELSEWHERE = [
    (r"apt-get install -y make && make demo", ".ci/run", "step demo make demo"),
    (r"make test", ".ci/run", "step test make test"),
    (r"apt-get install \./tare_\S+\.deb", "tests/package/clean_machine.sh", 'check "deb: the steps of the container file"'),
    (r"tar -xzf tare-\S+\.tar\.gz", "tests/package/clean_machine.sh", 'tar -xzf "$archive"'),
    (r"tare-\S+/bin/tare --version", "tests/package/clean_machine.sh", "/bin/tare --version"),
    (r"cmake -S examples/library/project -B \S+ -G Ninja .*", "tests/package/library_project.sh",
     'cmake -S examples/library/project -B "$build" -G Ninja'),
    (r"cmake --build \S+ --target paired_runs", "tests/package/library_project.sh", 'cmake --build "$build" --target paired_runs'),
    (r"build/paired/paired_runs RUN_A RUN_B", "tests/package/library_project.sh", '"$build/paired_runs" "$runs/left" "$runs/right"'),
]
FILE = re.compile(r"^```(?:yaml\n# |\w+ )([\w.-]+)\n(.*?)^```", re.M | re.S)


def documents():
    if sys.argv[2:]:
        return [ROOT / page for page in sys.argv[2:]]
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "examples").rglob("*.md"))]


def blocks():
    """(document, lines of an sh block, what its last command prints)."""
    for path in documents():
        for block, shown in BLOCK.findall(path.read_text()):
            yield path.relative_to(ROOT), [line for line in block.replace("\\\n", " ").splitlines() if line.strip()], shown


def commands():
    """(document, command, what it prints; "" where the document does not show it)."""
    for path, block, shown in blocks():
        lines = [line for line in block if line.startswith("tare ")]
        for line in lines:
            yield path, line, shown if line is lines[-1] else ""


def faults_of_other_lines(elsewhere, lines):
    """What is wrong with the lines that other tests run: (document, line), as blocks() has them."""
    for path, line in lines:
        if not any(re.fullmatch(pattern, line) for pattern, _, _ in elsewhere):
            yield f"{path}: {line}: no test runs it; ELSEWHERE names none"
    for pattern, test, words in elsewhere:
        if not any(re.fullmatch(pattern, line) for _, line in lines):
            yield f"ELSEWHERE: {pattern}: no page has such a line"
        if words not in (ROOT / test).read_text():
            yield f"ELSEWHERE: {pattern}: {test} lacks: {words}"


def other_lines():
    return [(path, line) for path, block, _ in blocks() for line in block if not line.startswith("tare ")]


def words_of(text):
    return [re.sub(r"-?\d[\d.:]*(?:e[-+]?\d+)?", "0", line).replace("-", "").replace("|", " ").split() for line in text.splitlines()]


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
        for path, line, shown in commands():
            if "model.gguf" in line and not os.path.exists(os.path.join(folder, "model.gguf")):
                print(f"SKIPPED: {line}: the demo model is not in the cache (tools/fetch.sh demo-model)")
                skipped += 1
                continue
            line = line.replace("http://localhost:8000/v1", server.url)
            start = time.monotonic()
            done = subprocess.run([os.path.abspath(tare)] + shlex.split(line)[1:], cwd=folder,
                                  capture_output=True, text=True)
            if sys.argv[2:]:
                print(f"{time.monotonic() - start:.1f} s: {line}", flush=True)
            other = shown and words_of(shown) != words_of(done.stdout)
            bad = done.returncode != 0 or other
            passed, failed = passed + (not bad), failed + bool(bad)
            if done.returncode != 0:
                print(f"{path}: {line}: exit code {done.returncode}\n{done.stderr}")
            elif other:
                print(f"{path}: {line}: prints\n{done.stdout}")
    if not sys.argv[2:]:
        faults = list(faults_of_other_lines(ELSEWHERE, other_lines()))
        # It finds what it is there for.
        made_up = list(faults_of_other_lines([("make test", ".ci/run", "no such words")], [("page", "make tset")]))
        print(*faults, sep="\n", end="\n" if faults else "")
        passed, failed = passed + (not faults) + (len(made_up) == 3), failed + bool(faults) + (len(made_up) != 3)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or passed + skipped == 0 else 0


sys.exit(main(sys.argv[1]))
