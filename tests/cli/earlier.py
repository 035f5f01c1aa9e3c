"""A run in a folder that holds one: it is held against that before the model is loaded, and with all answers there no
model is loaded. Usage: earlier.py TARE

The model is the demo model, where it is in the cache.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77


def models():
    default = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "tare"
    return pathlib.Path(os.environ.get("TARE_CACHE_DIR", default)) / "models"


class Work:
    def __init__(self, tare, folder, model):
        self.tare, self.folder, self.model = os.path.abspath(tare), pathlib.Path(folder), model

    def run(self, *more, model=None, arguments=""):
        return subprocess.run([self.tare, "run", "--model", f"gguf:{model or self.model},max_length=512{arguments}",
                               "--tasks", "everyday", "--limit", "2", "--threads", "1", "--cache", "off",
                               "--output", "out", *more], cwd=self.folder, capture_output=True, text=True)

    def files(self):
        return {p.name: p.read_bytes() for p in (self.folder / "out").iterdir() if p.name != "execution.json"}

    def execution(self):
        return json.loads((self.folder / "out" / "execution.json").read_text())

    def other_tier(self):
        used = json.loads((self.folder / "out" / "results.json").read_text())["tare"]["backend"]["settings"]["cpu_tier"]
        told = subprocess.run([self.tare, "doctor", "--threads", "1", "--json"], capture_output=True, text=True)
        return next((t["name"] for t in json.loads(told.stdout)["tiers"] if t["state"] == "works" and t["name"] != used),
                    None)


def the_same_again(work):
    first = work.run()
    files, asked = work.files(), work.execution()
    again = work.run()
    repeated = work.execution()
    yield "a run ends", first.returncode == 0 and "8 requests of 1 tasks" in first.stderr
    yield "the same command says that all answers are there", (
        again.returncode == 0 and "resumed: 8 of 8 answers are in out/journal.sqlite" in again.stderr)
    yield "and makes the same files", work.files() == files
    yield "without the weights", (
        asked["peak_memory_bytes"] - repeated["peak_memory_bytes"] > work.model.stat().st_size / 2)
    yield "and without a probe", repeated["timings_seconds"]["probe"] < asked["timings_seconds"]["probe"] / 10
    yield "which execution.json tells", repeated["tokens"] is None and repeated["answers"]["asked"] == 0


def other_settings(work):
    """Each is refused before the requests are counted, which the loaded model would be needed for."""
    files = work.files()
    others = {"another KV cache": ("backend kv_type is f32 there and f16 here", {"arguments": ",kv=f16"}),
              "another mode": ("backend mode is pinned there and fast here", {"more": ["--mode", "fast"]})}
    if (tier := work.other_tier()) is not None:
        others["another tier"] = (f"and {tier} here", {"more": ["--cpu-tier", tier]})
    if (other := models() / "smollm2-135m-instruct-q8_0.gguf").is_file():
        others["another model file"] = ("SHA-256 of the model file is ", {"model": other})
    for name, (text, how) in others.items():
        done = work.run(*how.pop("more", []), **how)
        yield f"{name} is refused", done.returncode == 2 and text in done.stderr
        yield f"{name}: before the model is loaded", "requests of" not in done.stderr
    yield "and nothing has changed", work.files() == files


def main(tare):
    model = models() / "smollm2-135m-instruct-q4_1.gguf"
    if not model.is_file():
        print("SKIPPED: runs of a real model: the demo model is not in the cache (tools/fetch.sh demo-model)")
        return SKIPPED
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="tare-earlier-") as folder:
        work = Work(tare, folder, model)
        for check in (the_same_again, other_settings):
            for text, held in check(work):
                print(("ok   " if held else "FAIL ") + text, flush=True)
                passed, failed = passed + held, failed + (not held)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


sys.exit(main(sys.argv[1]))
