"""Compares a sample of the table of helper functions with Python again (tools/shim_table.py --check).
Usage: shims_sample.py SHIMS_CAT. Exits 77 where TARE_LM_EVAL names no task folder or no Python has numpy:
this one, TARE_LM_EVAL_PYTHON's or the one that tools/parity.sh installs."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIP = 77
SAMPLE = ["hellaswag/*.py", "winogrande/*.py", "wikitext/*.py", "race/*.py", "truthfulqa/*.py", "super_glue/*/*.py", "bbq/*.py",
          "bbh/zeroshot/*.py", "crows_pairs/*.py", "wsc273/*.py", "mmlu_pro/*.py", "leaderboard/mmlu_pro/*.py", "toxigen/*.py"]


def pythons():
    cache = os.environ.get("TARE_CACHE_DIR") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tare"
    return [os.environ.get("TARE_LM_EVAL_PYTHON"), sys.executable, Path(cache) / "parity-venv/bin/python"]


def has_numpy(python):
    try:
        return subprocess.run([python, "-c", "import numpy, yaml"], capture_output=True).returncode == 0
    except OSError:
        return False


def main(binary):
    folder = os.environ.get("TARE_LM_EVAL")
    if not folder:
        print("SKIPPED: TARE_LM_EVAL does not name lm-eval's task folder")
        return SKIP
    python = next((p for p in pythons() if p and has_numpy(p)), None)
    if python is None:
        print("SKIPPED: no Python with numpy and PyYAML (TARE_LM_EVAL_PYTHON)")
        return SKIP
    command = [python, "-W", "ignore", ROOT / "tools/shim_table.py", binary, folder, "--check", "--only"]
    return subprocess.run([*command, *SAMPLE]).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
