"""Holds the includes of src/ to tools/rooms.txt, and third-party headers, printing and the environment
to the rooms that may have them. Usage: check_rooms.py [ROOT]   (default: this checkout)"""

import re
import sys
from pathlib import Path

from cpp_text import ROOT, cpp_files, report, without_comments_and_strings

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)

# Headers of other projects, and the rooms that may include them.
HEADERS = [
    (re.compile(r"(llama|ggml|gguf)[\w-]*\.h$"), {"backend/llama"}),
    (re.compile(r"nlohmann/"), {"base"}),
    (re.compile(r"openssl/"), {"base"}),
    (re.compile(r"yaml\.h$|yaml-cpp/"), {"text"}),
    (re.compile(r"(arrow|parquet)/"), {"data"}),
    (re.compile(r"curl/"), {"hub", "backend/http"}),
    (re.compile(r"CLI/"), {"cli"}),
    (re.compile(r"iostream$"), {"cli"}),
]

# What only the command line does.
WORDS = [
    (re.compile(r"\b(?:cout|cerr|clog)\b"), "writes to a standard stream"),
    (re.compile(r"(?<![\w.])(?:std::)?v?f?printf\s*\("), "prints"),
    (re.compile(r"\b(?:puts|fputs|putchar|perror)\s*\("), "prints"),
    (re.compile(r"\bfmt::print\b"), "prints"),
    (re.compile(r"\b(?:secure_)?getenv\b|\bsetenv\b|\bputenv\b"), "reads or writes the environment"),
    (re.compile(r"(?<![\w.>:])(?:std::)?(?:_?exit|abort|quick_exit)\s*\("), "ends the program"),
]
WORD_ROOM = "cli"


def read_rules(text):
    """(allowed, exceptions): rooms that each room may include; files that may do what only cli does."""
    allowed, exceptions = {}, set()
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("!"):
            exceptions.add(line[1:].split(":")[0].strip())
        elif line:
            room, _, others = line.partition(":")
            allowed[room.strip()] = set(others.split())
    return allowed, exceptions


def room_of(path, rooms):
    """The room with the longest name that the path starts with, or None."""
    parts = path.split("/")[:-1]
    names = ["/".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return next((name for name in names if name in rooms), None)


def unknown_rooms(allowed):
    named = {other for others in allowed.values() for other in others}
    return [f"tools/rooms.txt: {name}: named but not listed" for name in sorted(named - set(allowed))]


def find_cycle(allowed):
    """The rooms of one cycle, first and last the same, or nothing."""
    done, trail = set(), []

    def visit(room):
        if room in trail:
            return trail[trail.index(room) :] + [room]
        if room in done:
            return []
        trail.append(room)
        for other in sorted(allowed.get(room, set()) | ({"base"} - {room})):
            if cycle := visit(other):
                return cycle
        trail.pop()
        done.add(room)
        return []

    return next((cycle for room in sorted(allowed) if (cycle := visit(room))), [])


def includes(text):
    """(line, quote, path) of each include that is no comment."""
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[1], match[2]


def bad_includes(name, text, src, allowed):
    """Problems with the includes of one file; `name` is its path below src/."""
    room = room_of(name, allowed)
    if room is None:
        yield f"src/{name}: in no room of tools/rooms.txt"
        return
    for line, quote, path in includes(text):
        where = f"src/{name}:{line}"
        for pattern, rooms in HEADERS:
            if pattern.match(path) and room not in rooms:
                yield f"{where}: {room} includes {path}, which only {', '.join(sorted(rooms))} may"
        target = room_of(path, allowed) if quote == '"' else None
        if target is None:
            if quote == '"' and not any(pattern.match(path) for pattern, _ in HEADERS):
                yield f'{where}: "{path}" is in no room; other projects\' headers go in <>'
        elif not (src / path).exists():
            yield f"{where}: there is no src/{path}"
        elif target not in allowed[room] | {room, "base"}:
            yield f"{where}: {room} includes {path}; tools/rooms.txt lets it include {allowed_text(room, allowed)}"


def allowed_text(room, allowed):
    return ", ".join(sorted(allowed[room] | {room, "base"}))


def bad_words(name, text, allowed, exceptions):
    if room_of(name, allowed) == WORD_ROOM or f"src/{name}" in exceptions:
        return
    for number, line in enumerate(without_comments_and_strings(text).split("\n"), 1):
        for pattern, what in WORDS:
            if pattern.search(line):
                yield f"src/{name}:{number}: {what}, which only {WORD_ROOM} may: {line.strip()}"


def check(root):
    """(problems, number of files)."""
    src = root / "src"
    allowed, exceptions = read_rules((root / "tools" / "rooms.txt").read_text())
    problems = unknown_rooms(allowed)
    if cycle := find_cycle(allowed):
        problems.append(f"tools/rooms.txt: a cycle: {' -> '.join(cycle)}")
    files = cpp_files(root, "src")
    for path in files:
        name, text = path.relative_to(src).as_posix(), path.read_text(encoding="utf-8")
        problems += bad_includes(name, text, src, allowed)
        problems += bad_words(name, text, allowed, exceptions)
    problems += [f"tools/rooms.txt: {name}: no such file" for name in sorted(exceptions) if not (root / name).exists()]
    return problems, len(files)


if __name__ == "__main__":
    sys.exit(report(*check(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT), "files"))
