"""Every path and link that a Markdown file names exists. Usage: check_docs.py [ROOT]   (default: this
checkout)"""

import re
import sys
from pathlib import Path

from cpp_text import ROOT, report

FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"\.?[\w.+-]+(?:/[\w.+-]+)*/?")
PLACEHOLDER = re.compile(r"(?:^|/)[A-Z][A-Z_]*(?:/|$)|\.\.\.|…")  # tests/unit/ROOM/
SKIPPED = {".git", "build", ".cache", ".venv"}
# A bare name with one of these endings is taken for a file of the tree.
BARE = (".md", ".cmake", ".h", ".cpp", ".sh")


def documents(root):
    return [path for path in sorted(root.rglob("*.md")) if not SKIPPED & set(path.relative_to(root).parts)]


def tree(root):
    """(names at the top, names of all files)."""
    top = {path.name for path in root.iterdir()} - SKIPPED
    files = {path.name for name in top if (root / name).is_dir() for path in (root / name).rglob("*")}
    return top, files | top


def blank(match):
    return "\n" * match.group().count("\n")


def looks_like_path(text, top):
    """True for what claims to be in this tree: it starts with a folder of ours, or is a bare source name."""
    if not PATH.fullmatch(text) or PLACEHOLDER.search(text):
        return False
    first, slash, _ = text.partition("/")
    return first in top if slash else text.endswith(BARE)


def bad_paths(root, path, top, names):
    text = FENCE.sub(blank, path.read_text(encoding="utf-8"))
    where = path.relative_to(root).as_posix()
    for match in CODE.finditer(text):
        name = match[1].split(":")[0].split("#")[0]
        if not looks_like_path(name, top):
            continue
        if not ((root / name).exists() if "/" in name else name in names):
            yield f"{where}:{text.count(chr(10), 0, match.start()) + 1}: there is no {name}"
    for match in LINK.finditer(text):
        target = match[1].split("#")[0]
        if target and "://" not in target and not target.startswith("mailto:") and not (path.parent / target).exists():
            yield f"{where}:{text.count(chr(10), 0, match.start()) + 1}: the link to {match[1]} leads nowhere"


def check(root):
    top, names = tree(root)
    files = documents(root)
    return [problem for path in files for problem in bad_paths(root, path, top, names)], len(files)


if __name__ == "__main__":
    sys.exit(report(*check(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT), "documents"))
