#!/bin/bash
# examples/library/project as somebody else's project: configured outside of tare's build tree, with tare taken in
# by FetchContent, built, and asked about two runs that the program made.
#
# Usage: library_project.sh TARE BUILD
set -euo pipefail
cd "$(dirname "$0")/../.."
tare=$1 build=$2
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT

cmake -S examples/library/project -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTARE_DEVELOPER=ON
cmake --build "$build" --target paired_runs
printf '%s' '{"rules": [{"continuation": " lemon juice", "log_likelihood": -0.5}, {"log_likelihood": -2.25}]}' >"$runs/left.json"
printf '%s' '{"rules": [{"continuation": " a doorbell", "log_likelihood": -1}, {"log_likelihood": -2.25}]}' >"$runs/right.json"
for side in left right; do
  "$tare" run --model "scripted:$runs/$side.json" --tasks everyday --limit 40 --output "$runs/$side" --quiet
done

passed=0 failed=0
check() {
  local name=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "failed: $name"; fi
}

# The counts that `tare compare` prints of the same two.
wanted=$("$tare" compare "$runs/left" "$runs/right" --json | python3 -c '
import json, sys
for one in json.load(sys.stdin)["comparisons"][0]["metrics"]:
    counts = one["verdicts"]
    print(one["task"], "%s,%s" % (one["metric"], one["filter"]), "%d of %d" % (one["items"], one["items"]),
          "-%d +%d" % (counts["right_to_wrong"], counts["wrong_to_right"]), sep="\t")')
said=$("$build/paired_runs" "$runs/left" "$runs/right")
echo "$said"
check "the pairs are those of tare compare" [ "$(cut -f1-4 <<<"$said")" = "$wanted" ]
check "each line has an interval and a p" [ "$(grep -cE ' to [+-][0-9.]+.p=[01][.][0-9]+$' <<<"$said")" -eq 2 ]
status=0
"$build/paired_runs" "$runs/left" "$runs/nowhere" 2>"$runs/said" || status=$?
check "an error ends with 1 and one line" [ $status -eq 1 -a "$(wc -l <"$runs/said")" -eq 1 ]
printf '%d passed, %d failed, 0 skipped\n' $passed $failed
[ $failed -eq 0 ]
