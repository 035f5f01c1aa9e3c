"""Every rule of the checks in tools/ is seen failing once: small trees with one thing broken."""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import check_docs  # noqa: E402  (the path comes first)
import check_rooms  # noqa: E402
import check_sizes  # noqa: E402

ROOMS = "base:\ncore:\ntask: core\nbackend: core\nbackend/llama: core backend\ncli: core task\n! src/task/log.cpp: writes the log\n"
CLEAN = {
    "tools/rooms.txt": ROOMS,
    "src/base/a.h": '#include <string>\n// std::cout << getenv("HOME")\n',
    "src/core/b.h": '#include "base/a.h"\nconst char* text = "printf(1)";\nint n = snprintf(0, 0, "");\n',
    "src/task/c.cpp": '#include "core/b.h"\n#include "task/c.h"\n',
    "src/task/c.h": "",
    "src/task/log.cpp": "void f() { std::cerr << 1; }\n",
    "src/backend/d.h": "",
    "src/backend/llama/e.cpp": '#include <llama.h>\n#include "ggml-cpu.h"\n#include "backend/d.h"\n',
    "src/cli/main.cpp": '#include <iostream>\n#include "task/c.h"\nint main() { std::cout << getenv("HOME"); }\n',
}
BROKEN_ROOMS = [
    ({"src/core/b.h": '#include "task/c.h"\n'}, "core includes task/c.h"),
    ({"src/base/a.h": '#include "core/b.h"\n'}, "base includes core/b.h"),
    ({"src/backend/d.h": '#include "backend/llama/e.h"\n', "src/backend/llama/e.h": ""}, "backend includes backend/llama/e.h"),
    ({"src/task/c.cpp": '#include "core/none.h"\n'}, "there is no src/core/none.h"),
    ({"src/task/c.cpp": '#include "c.h"\n'}, '"c.h" is in no room'),
    ({"src/other/f.h": ""}, "in no room of"),
    ({"src/task/c.cpp": "#include <llama.h>\n"}, "task includes llama.h"),
    ({"src/task/c.cpp": '#  include "ggml-backend.h"\n'}, "task includes ggml-backend.h"),
    ({"src/task/c.cpp": "#include <nlohmann/json.hpp>\n"}, "task includes nlohmann/json.hpp"),
    ({"src/core/b.h": "#include <iostream>\n"}, "core includes iostream"),
    ({"src/task/c.cpp": "void f() { std::cout << 1; }\n"}, "src/task/c.cpp:1: writes to a standard stream"),
    ({"src/task/c.cpp": '\n/* \n */ void f() { std::printf("x"); }\n'}, "src/task/c.cpp:3: prints"),
    ({"src/task/c.cpp": 'auto home = std::getenv("HOME");\n'}, "environment"),
    ({"src/task/c.cpp": "void f() { std::exit(1); }\n"}, "ends the program"),
    ({"src/task/c.cpp": "auto s = R\"(\")\"; auto e = getenv(s);\n"}, "environment"),
    ({"tools/rooms.txt": ROOMS.replace("base:", "base: cli")}, "a cycle: base -> cli"),
    ({"tools/rooms.txt": ROOMS + "run: plan\n"}, "plan: named but not listed"),
    ({"tools/rooms.txt": ROOMS + "! src/task/none.cpp: why\n"}, "src/task/none.cpp: no such file"),
]


def function(lines, head="int f(int a)"):
    return head + " {\n" + "  a();\n" * (lines - 2) + "}\n"


SMALL = {f"src/base/{i}.cpp": function(5) * 4 for i in range(40)}
LONG_HEADS = [
    "int f(int a)",
    "template <class T>\nstd::vector<T> f(int a) const noexcept",
    "Room::Room(int a) : size_(a), name_()",
    'TEST_CASE("it is { long")',
    "class A {\n public:\n  bool operator==(const A& other) const",
    "namespace {\nstruct B : A {\n  B() {}\n  auto f(int a) -> int",
]
BROKEN_SIZES = [
    ({"src/base/a.cpp": function(121)}, "src/base/a.cpp:f (line 1): 121 lines"),
    ({"src/base/a.cpp": "// }\n" + function(118).replace("a();", "if (a) { b({1}); }", 1) + "\n" + function(130, "void g()")}, "a.cpp:g (line 121): 130"),
    ({"src/base/a.cpp": "int x;\n" * 801}, "src/base/a.cpp (line 1): 801 lines"),
    ({f"src/base/{i}.cpp": function(61) for i in range(5)}, "5 of 145 functions have more than 60 lines"),
    ({f"src/base/{i}.cpp": "int x;\n" * 401 for i in range(3)}, "3 of 40 files have more than 400 lines"),
    ({"tools/a.py": "def f():\n" + "    g()\n" * 121}, "tools/a.py:f (line 1): 122 lines"),
    ({"tools/size_exceptions.txt": "src/none.cpp  why\n"}, "src/none.cpp: no such file"),
    ({"src/base/a.cpp": function(121), "tools/size_exceptions.txt": "src/base/a.cpp:f\n"}, "a.cpp:f (line 1): 121 lines"),
] + [({"src/base/a.cpp": function(125, head)}, "lines, wanted at most 120") for head in LONG_HEADS]
GOOD_SIZES = [
    {},
    {"src/base/a.cpp": function(120)},
    {"src/base/a.cpp": function(121), "tools/size_exceptions.txt": "src/base/a.cpp:f  a table of options\n"},
    {"src/base/a.cpp": "namespace a {\n" + function(50) * 3 + "}\n"},
    {"src/base/a.cpp": "struct A {\n" + "  int x = f();\n" * 150 + "};\nint x[] = {f(1),\n" + "1,\n" * 150 + "};\n"},
    {"src/base/a.cpp": "#define A(x) \\\n  { f(x)\n" + function(100) + 'auto c = \'{\'; auto n = 1\'000;\nauto s = "{(";\n' + function(100)},
]

DOCUMENT = "See `src/base/a.cpp`, `a.cpp:12`, [it](../src) and `results.json`, `src/ROOM/x.h`, `a/b.c`.\n```\n`src/none`\n```\n"
DOCS = {"docs/a.md": DOCUMENT, "src/base/a.cpp": "", "README.md": "[a](docs/a.md#part) [b](https://c.d) `make x`\n"}
BROKEN_DOCS = [
    ({"docs/a.md": "\nand `src/base/b.cpp`\n"}, "docs/a.md:2: there is no src/base/b.cpp"),
    ({"docs/a.md": "`docs/none/`"}, "there is no docs/none/"),
    ({"docs/a.md": "`none.md`"}, "there is no none.md"),
    ({"docs/a.md": "[x](b.md)"}, "the link to b.md leads nowhere"),
    ({"README.md": "[x](docs/b.md#c)"}, "the link to docs/b.md#c leads nowhere"),
]


def problems_of(check, files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check(Path(folder))[0]


def failures():
    """One text for each tree that was judged wrongly."""
    for check, clean, broken in (
        (check_rooms.check, CLEAN, BROKEN_ROOMS),
        (check_sizes.check, SMALL, BROKEN_SIZES),
        (check_docs.check, DOCS, BROKEN_DOCS),
    ):
        yield [f"{check.__module__}: clean, but: {problem}" for problem in problems_of(check, clean)]
        for change, wanted in broken:
            found = problems_of(check, clean | change)
            right = any(wanted in problem for problem in found)
            yield [] if right else [f"{check.__module__}: wanted a problem with {wanted!r}, found {found}"]
    for change in GOOD_SIZES:
        yield [f"check_sizes: fine, but: {problem}" for problem in problems_of(check_sizes.check, SMALL | change)]


def main():
    passed = failed = 0
    for found in failures():
        print("\n".join(found), end="\n" if found else "")
        passed, failed = passed + (not found), failed + bool(found)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
