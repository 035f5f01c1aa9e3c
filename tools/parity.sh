#!/bin/bash
# Compares with the real packages: Jinja2 on lm-eval's templates and on random ones, Python's re on
# lm-eval's patterns and on random ones, scipy, statsmodels and scikit-learn on random scores, pyarrow on
# every data set of ../shared/hub. Installs them
# into a venv in the cache the first time.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=${TARE_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/tare}
venv=$cache/parity-venv
say() { printf 'tare: %s\n' "$*" >&2; }

if ! cmp -s third_party/parity.txt "$venv/installed.txt"; then
  say "installing the packages of third_party/parity.txt"
  rm -rf "$venv"
  python3 -m venv "$venv"
  if ! "$venv/bin/pip" install -q --disable-pip-version-check -r third_party/parity.txt >"$venv/log" 2>&1; then
    say "cannot install third_party/parity.txt: $(grep -m1 ERROR "$venv/log" || tail -n1 "$venv/log"); check the network"
    exit 1
  fi
  cp third_party/parity.txt "$venv/installed.txt"
fi

tools/build.sh dev tare jinja_cat data_cat hub_open regex_cat score_cat shims_cat stats_cat chat_cat benchmarks_cat
tasks=$(tools/fetch.sh lm-eval)
binaries=build/dev/tests/parity
log=build/parity.log
status=0
compare_with() {  # PYTHON SCRIPT ARGUMENTS...
  printf '%s\n' "$*" >>"$log"
  "$@" >>"$log" 2>&1 || status=1
  printf '%s: %s\n' "$(basename "$2")" "$(tail -n1 "$log")"
}
compare() { compare_with "$venv/bin/python" "$@"; }
: >"$log"
compare tests/parity/jinja_tasks.py "$binaries/jinja_cat" "$tasks"
compare tests/parity/jinja_fuzz.py "$binaries/jinja_cat" 5000
compare tests/parity/shims.py "$binaries/shims_cat" "$tasks" src/shims/table.txt
compare tests/parity/regex_tasks.py "$binaries/regex_cat" "$tasks"
compare tests/parity/regex_fuzz.py "$binaries/regex_cat" 10000
compare tests/parity/stats_fuzz.py "$binaries/stats_cat" 1000
compare tests/parity/synthetic/generate.py "$tasks" "$PWD/build/synthetic"
compare tests/parity/synthetic/compare.py "$PWD/build/dev/tare" "$tasks" "$PWD/build/synthetic"
if [ -d ../shared/hub ]; then
  compare tests/parity/data.py "$binaries/data_cat" ../shared/hub
else
  echo "data.py: SKIPPED: ../shared/hub is not there"
fi
# Any interpreter with the packages datasets, numpy, lm_eval and rouge_score will do; they are too
# large to install for this alone.
if [ -n "${TARE_LM_EVAL_PYTHON:-}" ]; then
  compare_with "$TARE_LM_EVAL_PYTHON" tests/parity/worker_datasets.py 1000
  shared=; [ ! -d ../shared/hub ] || shared=../shared/hub
  compare_with "$TARE_LM_EVAL_PYTHON" tests/parity/hub.py build/dev/tests/hub/hub_open $shared
  compare_with "$TARE_LM_EVAL_PYTHON" tests/parity/filters_fuzz.py "$binaries/score_cat" 300
  compare_with "$TARE_LM_EVAL_PYTHON" tests/parity/translation_fuzz.py "$binaries/score_cat" 50
  compare_with "$TARE_LM_EVAL_PYTHON" tests/parity/chat_cases.py --compare "$binaries/chat_cat"
  compare_with "$TARE_LM_EVAL_PYTHON" tests/parity/compare_runs.py "$PWD/build/dev/tare" --run
  if [ -n "$shared" ]; then
    compare_with "$TARE_LM_EVAL_PYTHON" tests/parity/backend_study.py "$binaries/benchmarks_cat" "$shared"
  else
    echo "backend_study.py: SKIPPED: ../shared/hub is not there"
  fi
else
  echo "hub.py: SKIPPED: no interpreter with datasets (TARE_LM_EVAL_PYTHON)"
  echo "worker_datasets.py: SKIPPED: no interpreter with datasets (TARE_LM_EVAL_PYTHON)"
  echo "compare_runs.py: SKIPPED: no interpreter with lm_eval (TARE_LM_EVAL_PYTHON)"
  echo "chat_cases.py: SKIPPED: no interpreter with transformers (TARE_LM_EVAL_PYTHON)"
  echo "backend_study.py: SKIPPED: no interpreter with lm_eval (TARE_LM_EVAL_PYTHON)"
  echo "filters_fuzz.py: SKIPPED: no interpreter with lm_eval (TARE_LM_EVAL_PYTHON)"
  echo "translation_fuzz.py: SKIPPED: no interpreter with lm_eval (TARE_LM_EVAL_PYTHON)"
fi
exit $status
