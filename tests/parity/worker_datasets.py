"""Compares the worker's stand-in for `datasets` with the package itself.

    worker_datasets.py [ROUNDS]

Random documents go through random chains of the methods that task helpers use, in both; where the package
has an answer, rows, columns and length have to be the same. Prints the package's version.
"""

import pathlib
import random
import sys

import datasets

WORKER = pathlib.Path(__file__).resolve().parents[2] / "src/worker/python"
sys.path.insert(0, str(WORKER))
import dataset as stand_in  # noqa: E402

TEXTS = ("", "a", "Zwei Wörter", "x" * 20)


def cell(kind, chance):
    if chance.random() < 0.1:
        return None
    if kind == "integer":
        return chance.randrange(-5, 5)
    if kind == "real":
        return chance.choice((0.5, -1.25, 1e-9))
    if kind == "text":
        return chance.choice(TEXTS)
    if kind == "list":
        return [chance.choice(TEXTS) for _ in range(chance.randrange(3))]
    return {"text": chance.choice(TEXTS), "label": chance.randrange(3)}


def documents(chance):
    kinds = ["integer", *chance.choices(("integer", "real", "text", "list", "record"), k=chance.randrange(4))]
    rows = [{f"c{i}": cell(kind, chance) for i, kind in enumerate(kinds)} for _ in range(chance.randrange(1, 9))]
    for i, row in enumerate(rows):
        row["c0"] = i
    return rows


MAPS = (
    lambda d: {"new": d["c0"] * 2},
    lambda d: {"c0": str(d["c0"])},
    lambda d: {"new": (d["c0"], 1)},
    lambda d: {"new": d["c0"] if d["c0"] % 2 else d["c0"] + 0.5},
    lambda d: {"new": {"a": d["c0"], "b": None}},
    lambda d: {"new": {f"k{d['c0'] % 2}": 1}},
    lambda d: {"new": d["c0"] if d["c0"] % 2 else "even"},
    lambda d: {"new": None if d["c0"] % 2 else [1, 2]},
    lambda d: {**d, "last": "z"},
    lambda d: d.update(added=1) or d,
    lambda d: {"new": []},
    lambda d: None,
    lambda d: {"c0": f"0{d['c0']}"},
    lambda d: {"c0": f"+{d['c0']}"},
    lambda d: {"c0": f" {d['c0']}"},
    lambda d: {"c0": f"{d['c0']}.0"},
    lambda d: {"c0": float(d["c0"])},
    lambda d: {"c0": d["c0"] / 2},
    lambda d: {"c0": d["c0"] > 1},
    lambda d: {"c0": "(A)" if d["c0"] else None},
    lambda d: {"c0": [d["c0"]]},
    lambda d: {key: str(value) for key, value in d.items()},
    lambda d: {key: repr(value) for key, value in d.items()},
    lambda d: {key: [value, value] for key, value in d.items()},
    lambda d: {key: 1 for key in d},
)
FILTERS = (lambda d: d["c0"] != 1, lambda d: bool(d["c0"]), lambda d: False)


def step(chance):
    """A method as a function of the data set and of its package's class."""
    number, function, test = chance.randrange(100), chance.choice(MAPS), chance.choice(FILTERS)
    return chance.choice(
        (
            lambda d: d.map(function),
            lambda d: d.map(function, remove_columns=d.column_names),
            lambda d: d.map(lambda row, i: {"at": i}, with_indices=True),
            lambda d: d.map(lambda rows: {"c0": [x for x in rows["c0"] for _ in "ab"]}, batched=True,
                            remove_columns=d.column_names),  # fmt: skip
            lambda d: d.filter(test),
            lambda d: d.filter(lambda row, i: i % 2 == 0, with_indices=True),
            lambda d: d.shuffle(seed=number),
            lambda d: d.select(range(min(2, len(d)))),
            lambda d: d.select([len(d) - 1, 0] if len(d) else []),
            lambda d: d.rename_column("c0", "c9").rename_columns({"c9": "c0"}),
            lambda d: d.remove_columns(d.column_names[1:2]),
            lambda d: d.select_columns(["c0"]),
            lambda d: d.sort("c0", reverse=True),
            lambda d: d.add_column("extra", list(range(len(d)))),
            lambda d: d.take(1),
        )
    )


def outcome(kind, rows, steps):
    """What came of a chain of steps."""
    try:
        data = kind.from_list(rows)
        for one in steps:
            data = one(data)
        columns = {name: list(data[name]) for name in data.column_names}
        return data.column_names, len(data), repr(list(data)), repr(columns), list(data.features)
    except stand_in.Refused as error:
        return "refused", str(error)
    except Exception as error:
        return "failed", type(error).__name__


def main():
    datasets.disable_progress_bars()
    rounds, differences, failures = int(sys.argv[1]) if len(sys.argv) > 1 else 500, 0, 0
    for seed in range(rounds):
        chance = random.Random(seed)
        rows = documents(chance)
        steps = [step(chance) for _ in range(chance.randrange(1, 4))]
        real, ours = outcome(datasets.Dataset, rows, steps), outcome(stand_in.Dataset, rows, steps)
        failures += real[0] == "failed"
        if real[0] != "failed" and real != ours:
            differences += 1
            print(f"seed {seed}: {rows}\n  datasets {real}\n  stand-in {ours}")
    print(f"datasets {datasets.__version__}: {rounds} chains, {failures} that it refuses, {differences} differ")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
