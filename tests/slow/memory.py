"""The memory that `tare plan` tells against the peak that `tare run` has, to 15 %.

Usage: memory.py TARE [MODEL ...]: of these number formats, or all; Gemma is one"""

import sys
import tempfile
from pathlib import Path

from support import Took, gemma, lm_eval_tasks, models, shared_hub

LIMIT = 0.15
WORK = {
    "5 questions": ["--tasks", "everyday", "--limit", "5"],
    "5 questions, one by one": ["--tasks", "everyday", "--limit", "5", "--batch-size", "1"],
    "100 questions, no examples": ["--tasks", "arc_easy", "--limit", "100"],
    "100 questions, five examples": ["--tasks", "mmlu_high_school_geography", "--num-fewshot", "5", "--limit", "100"],
    "20 answers": ["--tasks", "gsm8k", "--num-fewshot", "5", "--limit", "20", "--gen-kwargs", "max_gen_toks=24"],
}


def main():
    program, *wanted = sys.argv[1:]
    data = ["--include-path", str(lm_eval_tasks()), "--datasets", str(shared_hub()), "--offline"]
    passed = failed = 0
    here = {name: file for name, file in {**models(), **gemma()}.items() if not wanted or name in wanted}
    for name, file in here.items():
        for work, options in WORK.items():
            common = ["--model", f"gguf:{file}", *options, *data]
            told = Took([program, "plan", *common, "--json"]).json()["memory"]["total"]
            with tempfile.TemporaryDirectory() as folder:
                run = Took([program, "run", *common, "--threads", "1", "--quiet", "--cache", "off",
                            "--output", str(Path(folder) / "run")])
            off = told / run.peak - 1
            good = abs(off) <= LIMIT
            print(f"{'ok  ' if good else 'FAIL'} {name}, {work}: told {told >> 20} MiB, "
                  f"measured {run.peak >> 20} MiB ({off:+.1%})", flush=True)
            passed += good
            failed += not good
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
