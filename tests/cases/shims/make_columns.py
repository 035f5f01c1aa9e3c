"""Writes columns.json: what the package datasets makes of a column that map() changes or adds.
Usage: make_columns.py   (needs datasets 5.2)"""

import json
from pathlib import Path

import datasets

CASES = [
    ([1, 2], ["1", "2"]), ([1, 2], ["a", "b"]), ([1, 2], ["01", "-3"]), (["1"], [1]), (["1"], [[1]]), ([1], [2.5]),
    ([1], [2.0]), ([1], [True]), ([True], [2]), ([True], [0]), ([True], ["yes"]), ([True], ["True"]), ([True], ["0"]),
    ([1.5], [2]), ([1.5], ["2"]), ([1.5], ["x"]), ([["1", "2"]], [[1, 2]]), ([[1, 2]], [["1", "2"]]), ([[1]], [[2.5]]),
    ([{"a": 1}], [{"b": "1"}]), ([{"a": 1, "b": "x"}], [{"a": "5"}]), ([{"a": 1}], [{"a": 1, "m": 2}]), ([None], ["a"]),
    (["a", None], [3, 3]), (["x"], [True]), ([1, 2], [1, "q"]), ([["x"]], ["q"]), ([[]], [[1]]), ([1, None], [None, "7"]),
    (None, [1, "q"]), (None, ["a", ["q"]]), (None, [[1, "a"]]), (None, [{"a": 1}, {"b": 1}]), (None, [[{"a": 1}, {"b": 2}]]),
    (None, [[], []]), (None, [1, 2.5]), (None, [True, 2]), (None, [None, None]), (None, [{"a": [1]}, {"a": [2.5]}]),
    (None, [{"a": 1, "b": 2}, {"b": 3, "a": 4}]), (None, [(1, 2), [3]]), (None, [[[1], [2.5]], []]), (None, [{}, {}]),
]


def outcome(before, after):
    rows = [{"i": i, **({} if before is None else {"c": before[i]})} for i in range(len(after))]
    try:
        return [row["c"] for row in datasets.Dataset.from_list(rows).map(lambda row: {"c": after[row["i"]]})]
    except Exception:  # Arrow's errors have many types
        return "fails"


def main():
    datasets.disable_progress_bars()
    cases = [{"before": repr(before or []), "after": repr(after), "expected": repr(outcome(before, after)),
              "source": f"datasets {datasets.__version__}"} for before, after in CASES]
    text = json.dumps({"cases": cases}, ensure_ascii=False, indent=1)
    (Path(__file__).parent / "columns.json").write_text(text + "\n", encoding="utf-8")


main()
