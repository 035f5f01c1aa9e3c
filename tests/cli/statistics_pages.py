"""Each worked example of docs/statistics, computed by the example program. Usage: statistics_pages.py TARE_STATISTICS

A line `method numbers = results` of a `stats` block holds to the digits that stand on the page.
"""

import pathlib
import re
import subprocess
import sys

PAGES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "statistics"
BLOCK = re.compile(r"^```stats\n(.*?)^```", re.M | re.S)


def holds(written, computed):
    digits = len(written.partition(".")[2])
    return abs(float(written) - float(computed)) <= 0.5 * 10 ** -digits + 1e-12


def good(program, line):
    question, _, answer = line.partition("=")
    done = subprocess.run([program, *question.replace(",", " ").split()], capture_output=True, text=True)
    wanted, found = answer.split(), done.stdout.split()
    if done.returncode == 0 and len(wanted) == len(found) and all(map(holds, wanted, found)):
        return True
    print(f"{line}\n  computed: {' '.join(found)}{done.stderr.strip()}")
    return False


def main(program):
    failed = examples = 0
    for page in sorted(PAGES.glob("*.md")):
        lines = [line for block in BLOCK.findall(page.read_text()) for line in block.splitlines()]
        if not lines and page.name != "README.md":
            print(f"{page.name}: has no worked example")
            failed += 1
        examples += len(lines)
        failed += sum(not good(program, line) for line in lines)
    print(f"{examples} examples, {failed} wrong")
    return 1 if failed or examples == 0 else 0


sys.exit(main(sys.argv[1]))
