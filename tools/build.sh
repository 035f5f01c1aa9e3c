#!/bin/bash
# tools/build.sh PRESET [TARGET...]: configures and builds one preset, with progress. The first
# configure of a machine also builds llama.cpp into the cache. A failure ends with one line that says
# what is missing and where the whole output is.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
tools/preflight.sh
say() { printf 'tare: %s\n' "$*" >&2; }

mkdir -p build
configure_log=build/$preset.configure.log
build_log=build/$preset.build.log

# The first line of the first "CMake Error" that says something, wherever CMake folded it.
cmake_error() {
  awk '/^CMake Error/ { on = 1; next } on && NF { sub(/^ +/, ""); text = text (text ? " " : "") $0; next }
       on && text { exit } END { print text }' "$1"
}

say "configuring $preset"
if ! cmake --preset "$preset" --log-level=NOTICE 2>&1 | tee "$configure_log" | sed -u -n '/^tare:/p; /^\[[0-9]/p'; then
  why=$(cmake_error "$configure_log")
  say "${why#tare: } (all of it: $configure_log)"
  exit 1
fi

say "building $preset"
if ! cmake --build --preset "$preset" ${1:+--target "$@"} 2>&1 | tee "$build_log" | sed -u -n '/^\[[0-9]/p'; then
  why=$(grep -m1 -E 'error:|ninja: error|No space left|fatal' "$build_log" || tail -n1 "$build_log")
  say "build failed: $why (all of it: $build_log)"
  exit 1
fi
