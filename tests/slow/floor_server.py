"""`tare floor` on llama.cpp's own server: rows, their tier, stops. Usage: floor_server.py TARE LLAMA_SERVER"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from support import models, skip

TASK = """task: continued
dataset_path: json
dataset_kwargs: {data_files: {test: prompts.jsonl}}
test_split: test
output_type: generate_until
doc_to_text: "{{text}}"
doc_to_target: ""
generation_kwargs: {until: ["\\n\\n\\n"], max_gen_toks: 24, do_sample: false}
metric_list: [{metric: exact_match}]
"""
PROMPTS = ["The capital of France is", "Once upon a time, there was a small robot who", "Water boils at",
           "The three primary colours are", "To make a cup of tea, first", "In 1969, the first human"]
ROWS = ["server-cache", "server-slots-4", "server-slots-4-again"]
failures = 0


def check(what, holds, detail=""):
    global failures
    if not holds:
        failures += 1
        print(f"FAILED: {what}\n{detail}")


def servers():
    """Of the folder that the program makes: their process ids."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"items/llama-server/llama-server"):
            found.append(int(process.name))
    return found


def wait_for(what):
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if found := what():
            return found
        time.sleep(0.05)
    return None


def mapped_tiers(server):
    maps = pathlib.Path(f"/proc/{server}/maps").read_text()
    return {line.rsplit("libggml-cpu-", 1)[1] for line in maps.splitlines() if "libggml-cpu-" in line}


def main(tare, server):
    model = models().get("q8_0")
    if model is None:
        skip("the Q8_0 demo model (tools/make_models.sh)")
    if not os.path.exists(server):
        skip("llama-server (cmake --build BUILD --target llama_server)")
    environment = {**os.environ, "TARE_LLAMA_SERVER": server}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "prompts.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in PROMPTS))
        (folder / "continued.yaml").write_text(TASK)
        (folder / "grid.yaml").write_text("default_grid: false\nagain: {}\n")
        words = [tare, "floor", str(model), "--grid", "grid.yaml", "--positions", "4", "--tasks", "continued.yaml,everyday",
                 "--limit", "6", "--server-items", "4", "--output", "out"]
        process = subprocess.Popen(words, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        running = wait_for(servers)
        check("a server was started", running)
        tiers = wait_for(lambda: mapped_tiers(running[0])) if running else None
        check("it has the reference's tier alone", tiers == {"haswell.so"}, tiers)
        process.send_signal(signal.SIGKILL)
        process.wait()
        check("it ends with the program", wait_for(lambda: not servers()))
        done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
        check("exit code", done.returncode == 0, done.stderr)
        report = (folder / "out" / "floor.json").read_bytes()
        rows = {row["name"]: row for row in json.loads(report)["answers"]["files"][0]["settings"]}
        check("all rows", list(rows) == ["again", *ROWS], list(rows))
        for row in ROWS:
            check(f"{row}: it was asked", rows[row]["fault"] is None and rows[row]["not_available"] is None and
                  rows[row]["fewer_items"] and [task["items"] for task in rows[row]["tasks"]] == [4, 4], rows[row])
        check("its folder is removed", not (folder / "out" / "items" / "llama-server").exists())
        again = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
        check("the same again", again.returncode == 0 and (folder / "out" / "floor.json").read_bytes() == report, again.stderr)
        check("no server is left", not servers(), servers())
    print(f"{failures} failed")
    return 1 if failures else 0


sys.exit(main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])))
