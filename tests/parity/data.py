"""Compares every split of every data set under a folder with pyarrow, row by row.

    python data.py DATA_CAT HUB        (needs pyarrow and PyYAML)

HUB holds org/name folders with README front matter. For each configuration and split the rows that
data_cat prints must equal json.dumps of pyarrow's to_pylist. Prints a line per data set and, at the
end, the slowest reads.
"""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet
import yaml


def front_matter(readme):
    text = readme.read_text(encoding="utf-8")
    return yaml.safe_load(text.split("\n---", 1)[0].removeprefix("---")) if text.startswith("---") else {}


def splits_of(config):
    for entry in config["data_files"]:
        paths = entry["path"] if isinstance(entry["path"], list) else [entry["path"]]
        yield entry["split"], paths


def digest(lines):
    return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()


def expected(folder, patterns):
    rows = []
    for pattern in patterns:
        for file in sorted(folder.glob(pattern)):
            rows += pyarrow.parquet.read_table(file).to_pylist()
    return [json.dumps(row, ensure_ascii=False, default=str) for row in rows]


def compare(program, hub, readme):
    folder = readme.parent
    path = folder.relative_to(hub).as_posix()
    times, rows, splits = [], 0, 0
    for config in front_matter(readme).get("configs", []):
        for split, patterns in splits_of(config):
            run = subprocess.run([program, hub, path, config["config_name"], split], capture_output=True)
            if run.returncode != 0:
                sys.exit(f"{path} {config['config_name']} {split}: {run.stderr.decode()}")
            want = expected(folder, patterns)
            if hashlib.sha256(run.stdout).hexdigest() != digest(want):
                found = run.stdout.decode().splitlines()
                at = next((i for i, (a, b) in enumerate(zip(found, want)) if a != b), min(len(found), len(want)))
                sys.exit(f"{path} {config['config_name']} {split}: row {at} differs\n{found[at:at + 1]}\n{want[at:at + 1]}")
            times.append((float(run.stderr.split()[-1]), f"{path} {config['config_name']} {split}"))
            rows += len(want)
            splits += 1
    print(f"{path}: {splits} splits, {rows} rows equal, {sum(time for time, _ in times):.0f} ms")
    return times


def main():
    program, hub = sys.argv[1], Path(sys.argv[2])
    times = [time for readme in sorted(hub.glob("*/*/README.md")) for time in compare(program, hub, readme)]
    print(f"{len(times)} splits equal; slowest:")
    for time, name in sorted(times, reverse=True)[:5]:
        print(f"  {time:.1f} ms {name}")


if __name__ == "__main__":
    main()
