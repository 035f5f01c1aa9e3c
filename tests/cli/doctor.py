"""`tare doctor` of a real model: each tier that runs here gets a verdict. Usage: doctor.py TARE

The model is the demo model, where it is in the cache.
"""

import json
import os
import pathlib
import subprocess
import sys

SKIPPED = 77
ATTEMPT_KEYS = {"shape_class", "trials"}


def demo_model():
    default = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "tare"
    return pathlib.Path(os.environ.get("TARE_CACHE_DIR", default)) / "models" / "smollm2-135m-instruct-q4_1.gguf"


def doctor(tare, *words):
    done = subprocess.run([tare, "doctor", *words, "--threads", "1", "--json"], capture_output=True, text=True)
    return done, json.loads(done.stdout)


def checks_of_the_machine(found, done):
    tiers = found["tiers"]
    yield "exit code 0", done.returncode == 0 and done.stderr == ""
    yield "one tier is what a run uses, and it works", [t["state"] for t in tiers if t["chosen"]] == ["works"]
    yield "each tier that fails says why", all(t["fault"] for t in tiers if t["state"] == "fails")
    yield "no model, no verdict", not any("invariance" in t for t in tiers)
    yield "threads as asked", found["threads"] == 1 and found["machine"]["processors"] >= 1


def checks_of_the_model(name, found, done):
    tier, = found["tiers"]
    verdict = tier["invariance"]
    yield f"{name}: held, and the exit code says so", verdict["verdict"] == "held" and done.returncode == 0
    last = verdict["attempts"][-1]
    yield f"{name}: both scores and answers were compared", set(last) == ATTEMPT_KEYS and {
        t["trial"] for t in last["trials"] if t["comparisons"] > 0} == {
            "other_company", "alone", "answer_alone", "answer_few_slots"}
    yield f"{name}: progress is on stderr", f"tier {name}" in done.stderr


def main(tare):
    if not demo_model().is_file():
        print("SKIPPED: doctor of a real model: the demo model is not in the cache (tools/fetch.sh demo-model)")
        return SKIPPED
    tare = os.path.abspath(tare)
    done, machine = doctor(tare)
    checks = list(checks_of_the_machine(machine, done))
    usable = [t["name"] for t in machine["tiers"] if t["state"] == "works"]
    for name in {usable[0], usable[len(usable) // 2], usable[-1]}:
        done, found = doctor(tare, f"gguf:{demo_model()}", "--cpu-tier", name)
        checks += checks_of_the_model(name, found, done)
    for text, held in checks:
        print(("ok   " if held else "FAIL ") + text)
    failed = sum(not held for _, held in checks)
    print(f"{len(checks) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


sys.exit(main(sys.argv[1]))
