"""What a person sees on a terminal: tables that fit it, colours unless they are refused. Usage: terminal.py TARE"""

import fcntl
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

ROOT = pathlib.Path(__file__).resolve().parents[2]
ESCAPE = "\x1b["
TASK = """task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {{test: rows.jsonl}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{q}}}}"
doc_to_choice: [a, b]
doc_to_target: 0
metadata: {{version: 1.0}}
"""
LONG = "a_task_whose_name_is_much_longer_than_a_narrow_terminal_has_room_for"


def on_terminal(words, folder, columns, **variables):
    """Exit code and what the terminal shows."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
    environment.update({"TERM": "xterm", "TARE_CACHE_DIR": str(folder / "cache"), "HF_HUB_OFFLINE": "1"} | variables)
    child = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=side, stderr=side)
    os.close(side)
    shown = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # the last writer is gone
            break
        if not part:
            break
        shown += part
    os.close(main)
    return child.wait(), shown.decode().replace("\r\n", "\n")


def piped(words, folder):
    environment = dict(os.environ, COLUMNS="40", TERM="xterm", TARE_CACHE_DIR=str(folder / "cache"))
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True).stdout


def widest(text, first=""):
    """Of the lines, or of those that begin with a text."""
    return max(len(re.sub(r"\x1b\[\d*m", "", line)) for line in text.splitlines() if line.startswith(first))


def checks(tare, folder):
    (folder / "rows.jsonl").write_text('{"q": "one"}\n{"q": "two"}\n')
    (folder / "task.yaml").write_text(TASK.format(name=LONG))
    run = [tare, "run", "--model", "scripted:zero", "--tasks", "task.yaml", "--output", "out", "--quiet"]
    subprocess.run(run, cwd=folder, check=True, capture_output=True)

    show = [tare, "show", "out"]
    code, wide = on_terminal(show, folder, 200)
    yield "a wide terminal gets the whole table", code == 0 and LONG in wide and wide == piped(show, folder)
    for columns in (80, 60):
        code, narrow = on_terminal(show, folder, columns)
        yield f"{columns} columns are enough: {narrow}", code == 0 and widest(narrow, "|") <= columns and narrow.count("…") == 1
        yield f"no row and no number is lost in {columns} columns", len(narrow.splitlines()) == len(
            wide.splitlines()) and re.findall(r"\d+\.\d{4}", narrow) == re.findall(r"\d+\.\d{4}", wide)
    yield "COLUMNS is believed before the terminal", widest(on_terminal(show, folder, 200, COLUMNS="80")[1], "|") <= 80
    yield "a pipe gets the whole table, whatever COLUMNS says", LONG in piped(show, folder)

    compare = [tare, "compare", "out", "out"]
    for columns in (80, 60, 40):
        code, narrow = on_terminal(compare, folder, columns)
        yield f"a comparison leaves columns out in {columns}, and names them: {narrow}", code == 0 and widest(
            narrow) <= columns and f"(left out for the width of {columns}: " in narrow.replace("\n ", " ")
        yield f"of a long name both ends stay in {columns} columns", re.search("^a_task_.*….*_for  ", narrow, re.M)
    yield "a pipe gets all columns of a comparison", "left out" not in piped(compare, folder)

    listing = [tare, "ls", "backends"]
    yield "lists fit too", widest(on_terminal(listing, folder, 70)[1]) <= 70
    yield "a pipe gets tabs", piped(listing, folder).count("\t") >= 9 * 3
    for columns in (50, 80, 120):
        help_text = on_terminal([tare, "run", "--help"], folder, columns)[1]
        long_words = max(len(word) for word in help_text.split())
        yield f"help fits {columns} columns", widest(help_text) <= max(columns, 30 + long_words)

    pins = json.loads(piped([tare, "--version", "--json"], folder))
    pinned = (ROOT / "third_party" / "lm-eval.txt").read_text()
    yield "--version names all pins", f"lm-eval=={pins['lm_eval']} " in pinned and pins["llama_cpp"].startswith(
        "b") and all(any(p.startswith("torch==") for p in e) for e in pins["python_environments"].values())

    wrong = [tare, "show", "nowhere"]
    code, shown = on_terminal(wrong, folder, 80)
    yield "an error has colour on a terminal", code == 2 and shown.startswith(f"{ESCAPE}31mtare:{ESCAPE}0m ")
    for name, variables in (("NO_COLOR", {"NO_COLOR": "1"}), ("TERM=dumb", {"TERM": "dumb"})):
        yield f"none with {name}", ESCAPE not in on_terminal(wrong, folder, 80, **variables)[1]
    done = subprocess.run(wrong, cwd=folder, capture_output=True, text=True)
    yield "none in a file", ESCAPE not in done.stderr and done.stderr.startswith("tare: ")


def main(tare):
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="tare-terminal-") as name:
        for what, good in checks(tare, pathlib.Path(name)):
            passed, failed = passed + bool(good), failed + (not good)
            if not good:
                print("failed:", what)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


sys.exit(main(os.path.abspath(sys.argv[1])))
