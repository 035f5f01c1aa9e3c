#!/bin/bash
# tools/run_tests.sh PRESET [slow|long]: builds a preset, runs its tests, or those with that label,
# which take minutes each or a quarter of an hour, and ends with one line: "N passed, N failed,
# N skipped", summed over the cases of all suites.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
speed=${2:-}
tools/build.sh "$preset"

say() { printf 'tare: %s\n' "$*" >&2; }
# What the tests use if it can be had: a real model, and lm-eval's own task files.
if model=$(tools/fetch.sh demo-model); then
  tools/make_models.sh "build/$preset/tare" || say "no derived models: their tests are skipped"
else
  say "no demo model: its tests are skipped"
fi
tools/fetch.sh gemma >/dev/null || say "no Gemma file: its tests are skipped"
tasks=$(tools/fetch.sh lm-eval) && export TARE_LM_EVAL=${TARE_LM_EVAL:-$tasks}

# Sanitizers make stack frames several times larger, and some tests nest as deep as is allowed.
[ "$preset" = dev ] || ulimit -s 65536

if [ -n "$speed" ]; then
  log=build/$preset-$speed.test.log
  which=(-L "$speed")
else
  log=build/$preset.test.log
  which=(-LE 'slow|long')
fi
status=0
ctest --preset "$preset" -V -j2 "${which[@]}" >"$log" 2>&1 || status=$?
grep -E '^ *[0-9]+/[0-9]+ Test' "$log" || true
python3 tools/count_tests.py "$log"
if [ $status -ne 0 ]; then
  say "tests failed; their output is in $log"
  exit 1
fi
