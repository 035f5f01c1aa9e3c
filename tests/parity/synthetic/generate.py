"""Writes synthetic data sets for lm-eval's tasks.

    python generate.py TASKS OUT [--only PATH]        (needs jinja2, PyYAML and pyarrow)

TASKS is lm-eval's task folder. Under OUT there is a folder for each dataset_path, as a repository on the
hub is laid out: README.md says which files make the splits of which configuration. The documents have
the columns that the tasks read, with values that make sense to them and none to a reader.
"""

import argparse
import csv
import gzip
import json
import os
import shutil
from pathlib import Path

import yaml

from documents import rows_of
from infer import data_sets, known_columns
from known import apply_known
from task_files import TaskFolder

SEED = 1
VERSION = 1


def signature(rows_by_split):
    from hashlib import sha256
    return sha256(json.dumps(rows_by_split, ensure_ascii=False).encode()).hexdigest()[:12]


def write_lines(file, rows):
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(file, "w", encoding="utf-8") as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def write_csv(file, rows, arguments):
    file.parent.mkdir(parents=True, exist_ok=True)
    columns = arguments.get("column_names") or list(rows[0])
    with open(file, "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        if arguments.get("header", "infer") is not None:
            writer.writerow(columns)
        writer.writerows([[row.get(column, "") for column in columns] for row in rows])


def write_named_file(file, rows, arguments):
    """A file that dataset_kwargs names itself, in the format that its name says."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.suffix == ".csv":
        write_csv(file, rows, arguments)
    elif file.suffix == ".jsonl":
        write_lines(file, rows)
    elif file.suffix == ".gz":
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        file.write_bytes(gzip.compress(text.encode(), mtime=0))
    elif file.suffix == ".parquet":
        import pyarrow
        import pyarrow.parquet
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), file)


def write_data_set(out, path, members):
    folder = out / path
    configs, written = [], set()
    for data in members:
        if data.files:
            for split, file in data.files.items():
                if "://" not in file and not os.path.isabs(file):
                    write_named_file(folder / file, rows_of(data, split, SEED), data.arguments)
            continue
        rows = {split: rows_of(data, split, SEED) for split in sorted(data.splits) or ["test"]}
        mark = signature(rows)
        for split, lines in rows.items():
            if mark not in written:
                write_lines(folder / "data" / mark / f"{split}.jsonl", lines)
        written.add(mark)
        configs.append({"config_name": data.name,
                        "data_files": [{"split": split, "path": f"data/{mark}/{split}.jsonl"} for split in rows]})
    if configs:
        card = yaml.safe_dump({"configs": configs}, allow_unicode=True, sort_keys=False)
        (folder / "README.md").write_text(f"---\n{card}---\n\nSynthetic documents for tests.\n", encoding="utf-8")


def generate(tasks, out, only=None):
    found = data_sets(tasks)
    apply_known(found, known_columns())
    by_path = {}
    for data in found.values():
        by_path.setdefault(data.path, []).append(data)
    for path, members in by_path.items():
        if only in (None, path):
            shutil.rmtree(out / path, ignore_errors=True)
            write_data_set(out, path, members)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("tasks")
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", help="write this dataset_path only")
    arguments = parser.parse_args()
    folder = TaskFolder(arguments.tasks)
    found = generate(folder.tasks, arguments.out, arguments.only)
    print(f"{len(found)} configurations of {len({data.path for data in found.values()})} data sets for {len(folder.tasks)} tasks")


if __name__ == "__main__":
    main()
