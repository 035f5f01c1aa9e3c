"""What the checks of this folder share: finding C++ sources and taking their comments and strings out."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

TOKEN = re.compile(
    r"""//[^\n]*                                   # a line comment
      | /\*.*?\*/                                  # a block comment
      | \bu?8?[LR]*R"(?P<mark>[^()\s\\]{0,16})\(.*?\)(?P=mark)"   # a raw string
      | (?:u8|[uUL])?"(?:\\.|[^"\\\n])*"           # a string
      | (?<![0-9a-zA-Z_])(?:u8|[uUL])?'(?:\\.|[^'\\\n])+'  # a character, not a digit separator
    """,
    re.VERBOSE | re.DOTALL,
)


def blank(match):
    """As many line ends as the text has, and quotes where a string was."""
    text = match.group()
    lines = "\n" * text.count("\n")
    return lines if text.startswith("/") else '""' + lines


def without_comments_and_strings(text):
    return TOKEN.sub(blank, text)


def cpp_files(root, *folders):
    paths = [path for folder in folders for path in (root / folder).rglob("*") if path.suffix in (".h", ".cpp")]
    return sorted(paths)


def report(problems, checked, what):
    """Prints the problems and the closing line that tools/count_tests.py reads; the exit status."""
    for problem in problems:
        print(problem)
    print(f"{checked} {what} checked")
    print("0 passed, 1 failed" if problems else "1 passed, 0 failed")
    return 1 if problems else 0
