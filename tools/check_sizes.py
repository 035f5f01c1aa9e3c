"""Holds files and functions to the sizes that AGENTS.md names: a norm that few may pass, and a cap for all
but those in tools/size_exceptions.txt. Usage: check_sizes.py [ROOT]   (default: this checkout)"""

import ast
import re
import sys
from pathlib import Path
from typing import NamedTuple

from cpp_text import ROOT, cpp_files, report, without_comments_and_strings

FILE_NORM, FILE_CAP = 400, 800
FUNCTION_NORM, FUNCTION_CAP = 60, 120
SHARE_ABOVE_NORM = 0.03

# Text before a brace that opens no function, although it has brackets.
NO_FUNCTION = re.compile(r"^(?:if|for|while|switch|catch|else|do|try|return|extern|namespace|class|struct|union|enum)\b")
NAME = re.compile(r"([\w:~]+)\s*\(")


class Size(NamedTuple):
    where: str  # "src/a.cpp" or "src/a.cpp:name"
    lines: int
    line: int


def opens_function(head):
    """True if the text between the last ; { or } and a brace is the head of a function."""
    head = re.sub(r"^(?:public|private|protected)\s*:", "", head.strip()).strip()
    head = re.sub(r"^template\s*<[^;{}]*?>\s*(?=\w)", "", head)
    if "(" not in head or NO_FUNCTION.match(head):
        return False
    return "=" not in head[: head.index("(")] or "operator" in head


def name_of(head):
    return NAME.search(head)[1] if NAME.search(head) else "?"


def cpp_functions(text):
    """(name, first line, lines) of each function; a lambda or local class belongs to the one around it."""
    text = re.sub(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", lambda m: "\n" * m.group().count("\n"), text, flags=re.MULTILINE)
    depth, function, head_start = 0, None, 0
    for match in re.finditer(r"[;{}]", text):
        if match.group() == "{":
            head = text[head_start : match.start()]
            if function is None and opens_function(head):
                first = head_start + len(head) - len(head.lstrip())
                function = (depth, name_of(head), text.count("\n", 0, first) + 1)
            depth += 1
        elif match.group() == "}":
            depth -= 1
            if function is not None and depth == function[0]:
                last = text.count("\n", 0, match.start()) + 1
                yield function[1], function[2], last - function[2] + 1
                function = None
        head_start = match.end()


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1


def measure(root):
    """(files, functions) as lists of Size."""
    files, functions = [], []
    scripts = [path for folder in ("tools", "tests") for path in sorted((root / folder).rglob("*.py"))]
    for path in cpp_files(root, "src", "tests", "bench") + scripts:
        name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        files.append(Size(name, text.count("\n"), 1))
        found = python_functions(text) if path.suffix == ".py" else cpp_functions(without_comments_and_strings(text))
        functions += [Size(f"{name}:{function}", lines, line) for function, line, lines in found]
    return files, functions


def read_exceptions(text):
    """The names in "NAME  REASON" lines; a name without a reason counts as none."""
    lines = [line.split("#")[0].split(None, 1) for line in text.splitlines()]
    return {parts[0] for parts in lines if len(parts) == 2}


def too_large(kind, sizes, norm, cap, excepted):
    """Problems of one kind: each above the cap, and all above the norm if these are too many."""
    for size in sizes:
        if size.lines > cap and size.where not in excepted:
            yield f"{size.where} (line {size.line}): {size.lines} lines, wanted at most {cap}"
    above = [size for size in sizes if size.lines > norm and size.where not in excepted]
    if len(above) > SHARE_ABOVE_NORM * len(sizes):
        yield f"{len(above)} of {len(sizes)} {kind} have more than {norm} lines, wanted at most {SHARE_ABOVE_NORM:.0%}:"
        yield from (f"  {size.where}: {size.lines}" for size in sorted(above, key=lambda size: -size.lines))


def check(root):
    files, functions = measure(root)
    path = root / "tools" / "size_exceptions.txt"
    excepted = read_exceptions(path.read_text()) if path.exists() else set()
    problems = list(too_large("files", files, FILE_NORM, FILE_CAP, excepted))
    problems += too_large("functions", functions, FUNCTION_NORM, FUNCTION_CAP, excepted)
    known = {size.where for size in files + functions}
    problems += [f"tools/size_exceptions.txt: {name}: no such file or function" for name in sorted(excepted - known)]
    return problems, files, functions


def summary(files, functions):
    lines = sorted(size.lines for size in functions) or [0]
    middle, high = lines[len(lines) // 2], lines[int(0.9 * (len(lines) - 1))]
    over = [size for size in functions if size.lines > FUNCTION_NORM]
    for size in sorted(over, key=lambda size: -size.lines):
        print(f"note: {size.where}: {size.lines} lines")
    print(f"functions: median {middle}, 90th percentile {high}, longest {lines[-1]}, {len(over)} above {FUNCTION_NORM}")
    print(f"files: longest {max((size.lines for size in files), default=0)}")


def main(root):
    problems, files, functions = check(root)
    summary(files, functions)
    return report(problems, len(files) + len(functions), "files and functions")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT))
