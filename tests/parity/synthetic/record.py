"""Writes reference.txt, the committed task hashes, from the file that reference.py wrote.

    python record.py REFERENCE.jsonl
"""

import sys
from pathlib import Path

import hashes
from compare import COMMITTED, LIMIT
from generate import SEED, VERSION
from reference import done


def main():
    header = {"lm-eval": "0.4.13", "generator": VERSION, "seed": SEED, "limit": LIMIT}
    hashes.write(COMMITTED, done(Path(sys.argv[1])), header)


if __name__ == "__main__":
    main()
