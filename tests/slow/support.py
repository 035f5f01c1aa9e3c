"""What the slow tests share: where inputs lie, runs of the program, and what they took."""

import json
import os
import subprocess
import sys
from pathlib import Path

SKIPPED = 77  # ctest's SKIP_RETURN_CODE


def skip(what):
    print(f"SKIPPED: {what}")
    sys.exit(SKIPPED)


def shared_hub():
    root = Path(os.environ["TARE_SOURCE_DIR"])
    hub = root.parent / "shared" / "hub"
    if os.environ.get("TARE_SHARED") == "none" or not hub.is_dir():
        skip("data sets in ../shared/hub")
    return hub


def lm_eval_tasks():
    folder = os.environ.get("TARE_LM_EVAL", "")
    if not folder or not Path(folder).is_dir():
        skip("lm-eval's task files (TARE_LM_EVAL)")
    return Path(folder)


def models():
    """The files of the demo model, by number format."""
    start = "smollm2-135m-instruct-"
    found = {p.stem[len(start):]: p for p in sorted(model_folder().glob(start + "*.gguf"))}
    if not found:
        skip(f"models in {model_folder()}")
    return found


def gemma():
    """A model whose vocabulary is large, where it is there."""
    file = model_folder() / "gemma-3-270m-q4_k_m.gguf"
    return {"Gemma": file} if file.is_file() else {}


def model_folder():
    cache = os.environ.get("TARE_CACHE_DIR") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.join(Path.home(), ".cache"), "tare")
    return Path(os.environ.get("TARE_MODELS") or os.path.join(cache, "models"))


class Took:
    """A finished command: what it printed, its peak resident memory in bytes and its seconds of CPU time."""

    def __init__(self, command):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.stdout = process.stdout.read()
        self.stderr = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.peak = usage.ru_maxrss * 1024
        self.cpu = usage.ru_utime + usage.ru_stime
        if process.returncode != 0:
            sys.exit(f"{command}: exit {process.returncode}\n{self.stderr}")

    def json(self):
        return json.loads(self.stdout)
