"""`tare run --write-pin` and `--pin` on a real model: the same answers, or a reason. Usage: pin.py TARE

The model is the demo model, where it is in the cache.
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77


def demo_model():
    default = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "tare"
    return pathlib.Path(os.environ.get("TARE_CACHE_DIR", default)) / "models" / "smollm2-135m-instruct-q4_1.gguf"


class Runs:
    def __init__(self, tare, folder):
        self.tare, self.folder = os.path.abspath(tare), folder

    def run(self, *words):
        return subprocess.run([self.tare, "run", "--model", f"gguf:{demo_model()}", "--tasks", "everyday", "--limit",
                               "3", "--threads", "1", "--cache", "off", "--quiet", *words],
                              cwd=self.folder, capture_output=True, text=True)

    def results(self, name):
        return json.loads((self.folder / name / "results.json").read_text())

    def pin(self, name, **changes):
        """The pin that was written, with other values, as a new file."""
        lines = (self.folder / "pin.yaml").read_text().splitlines()
        changed = [f"{line.split(':')[0]}: {changes[line.split(':')[0]]}" if line.split(":")[0] in changes else line
                   for line in lines]
        (self.folder / name).write_text("\n".join(changed) + "\n")
        return name


def checks_of_a_pin(runs):
    written = runs.run("--output", "a", "--write-pin", "pin.yaml")
    yield "a pin is written", written.returncode == 0 and (runs.folder / "pin.yaml").is_file()
    first = runs.results("a")
    yield "the run that writes it names none", "pin" not in first["tare"]["settings"]
    obeyed = runs.run("--output", "b", "--pin", "pin.yaml")
    second = runs.results("b")
    yield "the pin is obeyed", obeyed.returncode == 0
    yield "the result names its hash", second["tare"]["settings"].pop("pin") == hashlib.sha256(
        (runs.folder / "pin.yaml").read_bytes()).hexdigest()
    yield "the same settings", first["tare"]["backend"] == second["tare"]["backend"]
    samples = [(runs.folder / name / "samples_everyday.jsonl").read_bytes() for name in "ab"]
    yield "the same answers, byte for byte", samples[0] == samples[1]
    again = runs.run("--output", "c", "--write-pin", "pin.yaml", "--model-args", "kv=f16")
    yield "a file with another pin stays", again.returncode == 2 and "holds another pin" in again.stderr
    yield "and nothing is left of the run", not (runs.folder / "c").exists()


def checks_of_other_manners(runs):
    done = runs.run("--output", "d", "--pin", runs.pin("other.yaml", repack="false", kv="f16", cache="false"))
    settings = runs.results("d")["tare"]["backend"]["settings"]
    yield "what is pinned is what is done", done.returncode == 0 and (
        settings["repack"], settings["kv_type"]) == (False, "f16")
    ended = runs.run("--output", "d", "--pin", "pin.yaml")
    yield "a run is not gone on with under another pin", ended.returncode == 2 and "pin" in ended.stderr


def checks_of_refusals(runs):
    for name, changes, told in (("tier", {"tier": "zen99"}, "tier: CPU tier"), ("release", {"release": "b1"}, "found b1"),
                                ("slots", {"slots": "many"}, "slots: found 'many'")):
        done = runs.run("--output", "e", "--pin", runs.pin(f"{name}.yaml", **changes))
        yield f"another {name} is refused before the work", done.returncode == 2 and told in done.stderr and (
            not (runs.folder / "e").exists())
    done = runs.run("--output", "e", "--pin", "pin.yaml", "--mode", "fast")
    yield "a flag that contradicts is refused", done.returncode == 2 and "--mode fast: the pin" in done.stderr


def main(tare):
    if not demo_model().is_file():
        print("SKIPPED: pins of a real model: the demo model is not in the cache (tools/fetch.sh demo-model)")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(tare, pathlib.Path(folder))
        checks = [*checks_of_a_pin(runs), *checks_of_other_manners(runs), *checks_of_refusals(runs)]
    for text, held in checks:
        print(("ok   " if held else "FAIL ") + text)
    failed = sum(not held for _, held in checks)
    print(f"{len(checks) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


sys.exit(main(sys.argv[1]))
