"""Compares what data_cat reads with the `datasets` library on random JSON and CSV files.

    python data_random.py DATA_CAT [ROUNDS [SEED]]        (needs datasets 5.2)

The values are drawn so that columns often mix types, miss values and look like dates or numbers. A
file that the library refuses may be read (tare is more lenient in places); one that it reads must
give the same rows. Prints the first difference and stops.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ["HF_DATASETS_OFFLINE"] = os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_CACHE"] = tempfile.mkdtemp()

import datasets

datasets.disable_progress_bars()
datasets.utils.logging.set_verbosity(60)

WORDS = ["a", "", "é😀", "2020-01-02", "2020-01-02 03:04:05", "2020-01-02T03:04Z", "12", "1.5", "null", "NaN", "true",
         'q"', "x,y", "-", "007", " 5 ", "line\nbreak", "tab\t", "[1]", "None", "\\", "inf"]
NUMBERS = [0, 1, -7, 12345678901234]
CELLS = ["1", "2", "-3", "1.5", "2e3", "", "NA", "True", "false", "x", " y", "z ", " 4 ", '"q,r"', '"a""b"', '"li\nne"',
         "nan", "None", "2020-01-01", "inf", ".5", "1.", "007", "+8", "'", 'a"b', "é", '"7"', '""', "1e400", "-"]


def real(draw):
    return draw.choice([draw.uniform(-2, 2), round(draw.uniform(-99, 99), 2), draw.gauss(0, 1) * 10 ** draw.randint(-14, 18), float(draw.randint(-3, 3))])


def scalar(draw, kind):
    if kind == "int":
        return draw.choice(NUMBERS)
    if kind == "real":
        return real(draw)
    if kind == "word":
        return draw.choice(WORDS)
    if kind == "date":
        return draw.choice(WORDS[3:6])
    return draw.random() < 0.5


def maker(draw, depth=0, in_list=False):
    """A function that draws values for one place: mostly of one type. Lists hold no None: where a list
    column holds nothing else, pyarrow 26 makes an invalid array, and the library then types the whole
    file in another way."""
    kind = draw.choice(["int", "real", "word", "word", "date", "bool", "list", "object", "none"])
    if (depth > 2 and kind in ("list", "object")) or (in_list and kind == "none"):
        kind = "word"
    if kind == "list":
        item = maker(draw, depth + 1, in_list=True)
        return lambda: [item() for _ in range(draw.randint(0, 3))]
    if kind == "object":
        fields = {name: maker(draw, depth + 1) for name in draw.sample("bcdé", draw.randint(0, 3))}
        keep = draw.choice([1, 1, 1, 0.8])
        return lambda: {name: make() for name, make in fields.items() if draw.random() < keep}
    if kind == "none":
        return lambda: None
    mixed = draw.choice([0, 0, 0, 0, 0, 0.1])
    gap = 0 if in_list else draw.choice([0, 0, 0.2])

    def make():
        if draw.random() < gap:
            return None
        return scalar(draw, draw.choice(["int", "real", "word", "bool"]) if draw.random() < mixed else kind)

    return make


def json_text(draw):
    makers = {name: maker(draw) for name in ["id", "a", "b", "date", "x_at"][: draw.randint(1, 5)]}
    keep = draw.choice([1, 1, 0.7])
    rows = [{name: make() for name, make in makers.items() if draw.random() < keep} for _ in range(draw.randint(1, 6))]
    shape = draw.choice(["lines", "lines", "lines", "list", "blank", "indented", "space", "crlf"])
    if shape == "list":
        return json.dumps(rows, ensure_ascii=draw.random() < 0.5)
    if shape == "space" and not any(odd in json.dumps(rows) for odd in ("NaN", "true", "false")):
        return " " + json.dumps(rows)  # pandas: NaN in a column of dates is no date, a truth value a number
    if shape == "indented":
        return "\n".join(json.dumps(row, indent=1) for row in rows)
    text = "\n".join(json.dumps(row, ensure_ascii=draw.random() < 0.5) for row in rows) + "\n"
    return {"blank": text + "\n", "crlf": text.replace("\n", "\r\n")}.get(shape, text)


def csv_text(draw):
    width = draw.randint(1, 4)
    pools = [draw.sample(CELLS, draw.randint(1, 4)) for _ in range(width)]
    end = draw.choice(["\n", "\n", "\r\n"])  # after a blank line that CR ends, pandas drops a separator
    rows = [",".join("abcd"[:width])]
    for _ in range(draw.randint(1, 6)):
        rows.append(",".join(draw.choice(pool) for pool in pools[: draw.choice([width, width, draw.randint(1, width)])]))
        if draw.random() < 0.1:
            rows.append(draw.choice(["", "  ", "\t"]))
    return end.join(rows) + draw.choice([end, ""])


def reference(builder, file):
    """The rows as lines, and whether the order of their columns is sure: where several columns mix
    types, the library appends missing ones in the order of a set. None where it refuses the file."""
    try:
        rows = datasets.load_dataset(builder, data_files=str(file))["train"]
    except Exception:
        return None, True
    mixed = sum("Json" in str(feature) for feature in rows.features.values())
    return [json.dumps(dict(row), ensure_ascii=False, default=str) for row in rows], mixed < 2


def ordered(lines):
    return [json.dumps(json.loads(line), sort_keys=True) for line in lines]


def main():
    program = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    draw = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    equal = refused = lenient = 0
    with tempfile.TemporaryDirectory() as scratch:
        for i in range(rounds):
            builder, make, name = draw.choice([("json", json_text, f"{i}.json"), ("csv", csv_text, f"{i}.csv")])
            file = Path(scratch) / name
            file.write_bytes(make(draw).encode())
            want, sure_order = reference(builder, file)
            run = subprocess.run([program, file], capture_output=True)
            found = run.stdout.decode().splitlines()
            if want is None:
                refused += run.returncode != 0
                lenient += run.returncode == 0
            elif found == want or (not sure_order and ordered(found) == ordered(want)):
                equal += 1
            else:
                print(f"{file.read_bytes()!r}\nfound  {found or run.stderr.decode()}\nwanted {want}")
                sys.exit(1)
            file.unlink()
    print(f"{rounds} files: {equal} equal, {refused} refused by both, {lenient} refused by datasets alone")


if __name__ == "__main__":
    main()
