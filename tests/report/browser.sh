#!/bin/bash
# A report in Chromium, driven by Playwright. Usage: browser.sh TARE ITEMS [SHOTS]: a report of two runs of
# ITEMS items is opened and measured too; screenshots stay in the folder SHOTS.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tare=$(realpath "$1")
items=$2

skip() {
  printf 'SKIPPED: %s\n' "$1"
  exit 77
}

command -v chromium >/dev/null || skip "chromium is not installed (Debian package chromium)"
tools=$("$here/../../tools/fetch.sh" browser) || skip "what drives a browser could not be fetched"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$here/make_runs.py" "$work/small" 300 2 hostile
python3 "$here/make_runs.py" "$work/large" "$items" 2
"$tare" report "$work/small/run-0" --output "$work/one.html" --quiet
"$tare" report "$work/small/run-0" "$work/small/run-1" --output "$work/two.html" --quiet
begin=$(date +%s%N)
"$tare" report "$work/large/run-0" "$work/large/run-1" --output "$work/large.html" --quiet
printf 'a report of 2 x %d items: %d ms, %d bytes\n' "$items" $((($(date +%s%N) - begin) / 1000000)) "$(stat -c %s "$work/large.html")"
PLAYWRIGHT=$tools/playwright/driver/package AXE=$tools/axe_playwright_python/axe.min.js CHROMIUM=$(command -v chromium) \
  "$tools/playwright/driver/node" "$here/browser.mjs" "$work" "$items" "${3:-}"
