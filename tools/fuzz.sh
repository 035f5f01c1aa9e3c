#!/bin/bash
# tools/fuzz.sh SECONDS: builds every fuzz target with clang and runs each for that long, from an
# empty corpus plus the seeds in tests/fuzz/seeds/TARGET.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-10}
tools/build.sh fuzz fuzzers
status=0
for target in build/fuzz/tests/fuzz/fuzz_*; do
  [ -x "$target" ] && [ -f "$target" ] || continue
  name=$(basename "$target")
  corpus=build/fuzz/corpus/$name
  seeds=tests/fuzz/seeds/${name#fuzz_}
  mkdir -p "$corpus"
  [ -d "$seeds" ] || seeds=
  if "$target" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 -artifact_prefix="build/fuzz/$name-" \
      "$corpus" $seeds >"build/fuzz/$name.log" 2>&1; then
    printf '%s: %s\n' "$name" "$(tail -n1 "build/fuzz/$name.log")"
  else
    printf '%s: FAILED, see build/fuzz/%s.log\n' "$name" "$name"
    status=1
  fi
done
exit $status
