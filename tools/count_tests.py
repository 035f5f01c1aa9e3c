"""Sums the tests in the output of `ctest -V`: doctest cases, the closing lines of the Python suites,
and one for each other test. Usage: count_tests.py LOG..."""

import os
import re
import sys

DOCTEST = re.compile(r"test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed \|\s*(\d+) skipped")
PLAIN = re.compile(r"^(?:\w+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$")
LINE = re.compile(r"^(\d+): (.*)$")
RESULT = re.compile(r"^\s*\d+/\d+ Test\s+#(\d+): (\S+) \.*\s*(.+?)\s+[\d.]+ sec")


class Suite:
    """One ctest test: what its output says, and how ctest judged it."""

    def __init__(self):
        self.counts = None
        self.skips = 0  # doctest cases that skipped themselves
        self.outcome = ""

    def read(self, line):
        doctest = DOCTEST.search(line)
        if found := doctest or PLAIN.match(line):
            self.counts = [int(n or 0) for n in found.groups()]
            self.skips = self.skips if doctest else 0
        if line.startswith("SKIPPED: "):
            self.skips += 1

    def total(self):
        """passed, failed, skipped. A crash leaves no closing line and counts as one failure."""
        bad = "Passed" not in self.outcome and "Skipped" not in self.outcome
        passed, failed, skipped = self.counts or (0 if bad or self.skips else 1, 0, 0)
        if bad and failed == 0:
            failed = 1
        if "Skipped" in self.outcome:
            return 0, 0, 1
        # A doctest case that skips itself has been counted as passed.
        moved = min(self.skips, passed)
        return passed - moved, failed, skipped + self.skips


def read_log(path):
    suites = {}
    if not os.path.exists(path):  # its step was left out
        return []
    with open(path, errors="replace") as log:
        for text in log:
            if found := LINE.match(text):
                suites.setdefault(found[1], Suite()).read(found[2])
            elif found := RESULT.match(text):
                suites.setdefault(found[1], Suite()).outcome = found[3]
    return suites.values()


def main(paths):
    totals = [suite.total() for path in paths for suite in read_log(path)]
    passed, failed, skipped = (sum(column) for column in zip(*totals)) if totals else (0, 0, 0)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")


main(sys.argv[1:])
