"""tare compare of a run that lm-eval made with one that tare makes here of the same tasks. Usage:
compare_lm_eval.py TARE. Exit code 77: ../shared/parity is not there."""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path("none") if os.environ.get("TARE_SHARED") == "none" else ROOT.parent / "shared" / "parity"
SCRIPT = '{"rules": [{"context_contains": "3", "log_likelihood": -0.5, "greedy": true, "text": "2"}, {"log_likelihood": -1.25, "text": "4"}]}'


def main(tare):
    if not (SHARED / "out").is_dir():
        print("SKIPPED: ../shared/parity is not there")
        return 77
    with tempfile.TemporaryDirectory() as work:
        script = pathlib.Path(work, "script.json")
        script.write_text(SCRIPT)
        subprocess.run([tare, "run", "--model", f"scripted:{script}", "--include-path", "tasks", "--tasks", "p_grp",
                        "--output", f"{work}/ours", "--quiet"], cwd=SHARED, check=True, stdout=subprocess.DEVNULL)
        return subprocess.run([sys.executable, ROOT / "tests" / "parity" / "compare_runs.py", tare, SHARED / "out",
                               f"{work}/ours"]).returncode


sys.exit(main(os.path.abspath(sys.argv[1])))
