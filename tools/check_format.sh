#!/bin/bash
# Every C++ file in git is formatted as .clang-format says. clang-format 14 only: other versions
# differ. Prints the files that are not, and a closing line for tools/count_tests.py.
set -uo pipefail
cd "$(dirname "$0")/.."
if ! command -v clang-format-14 >/dev/null; then
  echo "SKIPPED: clang-format-14 is not installed (Debian package clang-format-14)"
  exit 0
fi
sources() {
  git ls-files '*.h' '*.cpp' 2>/dev/null || find src tests bench -name '*.h' -o -name '*.cpp'
}
mapfile -t files < <(sources | while read -r file; do [ -f "$file" ] && echo "$file"; done)
findings=$(clang-format-14 --dry-run -Werror "${files[@]}" 2>&1)
status=$?
echo "$findings" | sed -n 's/^\([^: ]*\):[0-9].*/\1: not formatted; run clang-format-14 -i \1/p' | sort -u
echo "${#files[@]} files checked"
if [ $status -ne 0 ]; then
  echo "0 passed, 1 failed"
  exit 1
fi
echo "1 passed, 0 failed"
