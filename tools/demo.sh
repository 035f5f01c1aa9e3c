#!/bin/sh
# The demo: a real model on the task that tare brings. Fetches the model once; the run itself takes
# well under a minute on two cores.
set -eu
cd "$(dirname "$0")/.."
model=$(tools/fetch.sh demo-model)
rm -rf build/demo
build/release/tare run --model "gguf:$model" --tasks everyday --output build/demo
