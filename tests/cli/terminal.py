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


def narrow_checks(tare, folder):
    """What is wider than a narrow terminal: prose is folded, columns are left out, a pipe gets all."""
    code, shown = on_terminal([tare, "show", "out"], folder, 40)
    yield f"a table of a run fits 40 columns: {shown}", code == 0 and widest(
        shown) <= 40 and "(left out for the width of 40: Version,\n n-shot)" in shown
    budget = ["plan", "--tasks", "task.yaml", "--budget"]
    for words in (["plan", "--tasks", "task.yaml"], budget, ["--version"], ["--help"], ["show", "out", "--against", "out"]):
        code, shown = on_terminal([tare, *words], folder, 60)
        yield f"{words} fits 60 columns: {shown}", code == 0 and widest(shown) <= 60
        whole = piped([tare, *words], folder)
        yield f"a pipe gets all of {words}", whole.split() == shown.split() or "…" in shown
    yield "a pipe gets long lines", widest(piped([tare, *budget], folder)) > 200
    code, shown = on_terminal([tare, "run", "--model", "scripted:zero", "--tasks", "task.yaml", "--output", "wide"], folder, 50)
    drawn = [part for line in shown.splitlines() for part in line.split("\r") if part.startswith("score ")]
    yield f"progress stays in its line: {drawn}", code == 0 and drawn and max(map(len, drawn)) < 50


def foreign_checks(tare, folder):
    """Names and texts of others do not act on a terminal; another program gets them as they are."""
    shown_name = "evil\ufffd[31mX\\nY"
    (folder / "evil.jsonl").write_text('{"q": "one\\u001b[2J\\rtwo\\tthree\\u009bX"}\n')
    (folder / "evil.yaml").write_text(TASK.format(name='"evil\\e[31mX\\nY"').replace("rows.jsonl", "evil.jsonl"))
    run = ["run", "--model", "scripted:zero", "--tasks", "evil.yaml", "--output", "evil"]
    prompts = ["plan", "--tasks", "evil.yaml", "--show-prompts", "1"]
    for words in (run, ["show", "evil"], ["ls", "tasks", "--include-path", "."], prompts, ["validate", "evil.yaml"]):
        code, shown = on_terminal([tare, *words], folder, 120)
        plain = re.sub(r"\x1b\[(?:33m|0m)", "", shown)  # a warning's own colours
        acting = re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", plain.replace("\r", "") if words is run else plain)
        yield f"{words} shows the name and does not act on it: {shown!r}", code == 0 and shown_name in shown and not acting
        rows = [line for line in shown.splitlines() if line.startswith("|")]
        yield f"{words}: its table is whole", len({len(row) for row in rows}) <= 1
    yield "a tab of a prompt stays", "two\tthree" in on_terminal([tare, *prompts], folder, 120)[1]
    done = subprocess.run([tare, *prompts], cwd=folder, capture_output=True)
    yield "a pipe gets the prompt byte for byte", "one\x1b[2J\rtwo\tthree\x9bX".encode() in done.stdout
    done = subprocess.run([tare, "run", "--model", "scripted:zero", "--tasks", "evil\x1b[31m\nX", "--output", "none"], cwd=folder, capture_output=True)
    yield f"an error is one line: {done.stderr}", done.returncode == 2 and done.stderr.count(b"\n") == 1 and b"\x1b" not in done.stderr


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
        yield f"no row and no number is lost in {columns} columns", narrow.count("\n|") == wide.count(
            "\n|") and re.findall(r"\d+\.\d{4}", narrow) == re.findall(r"\d+\.\d{4}", wide)
    yield "COLUMNS is believed before the terminal", widest(on_terminal(show, folder, 200, COLUMNS="80")[1], "|") <= 80
    yield "a pipe gets the whole table, whatever COLUMNS says", LONG in piped(show, folder)

    compare = [tare, "compare", "out", "out"]
    for columns in (80, 60, 40):
        code, narrow = on_terminal(compare, folder, columns)
        yield f"a comparison leaves columns out in {columns}, and names them: {narrow}", code == 0 and widest(
            narrow) <= columns and f"(left out for the width of {columns}: " in narrow.replace("\n ", " ")
        yield f"of a long name both ends stay in {columns} columns", re.search("^a_task_.*….*_for  ", narrow, re.M)
    yield "a pipe gets all columns of a comparison", "left out" not in piped(compare, folder)

    yield from narrow_checks(tare, folder)
    yield from foreign_checks(tare, folder)

    listing = [tare, "ls", "backends"]
    yield "lists fit too", widest(on_terminal(listing, folder, 70)[1]) <= 70
    yield "a pipe gets tabs", piped(listing, folder).count("\t") >= 9 * 3
    for columns in (40, 50, 80, 120):
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
