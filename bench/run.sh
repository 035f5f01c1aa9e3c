#!/bin/bash
# bench/run.sh [OPTIONS of bench.py]: builds tare and llama.cpp's own programs, fetches the models and the
# task files, and runs the bench.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh release tare llama_peers bare_decode
tools/fetch.sh demo-model >/dev/null
tools/make_models.sh build/release/tare
tools/fetch.sh lm-eval >/dev/null
exec python3 bench/bench.py "$@"
