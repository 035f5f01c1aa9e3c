#!/bin/bash
# The example study from nothing: fetches both models, makes the Python environments and llama-server where
# they are missing, starts a server for each model, runs the study, stops the servers.
#   examples/run_backends.sh [OPTION OF tare study...]
set -euo pipefail
cd "$(dirname "$0")/.."
tare=build/release/tare
[ -x $tare ] || tools/build.sh release tare
say() { printf 'tare: %s\n' "$*" >&2; }

smollm=$(tools/fetch.sh demo-model)
gemma=$(tools/fetch.sh gemma)
tools/make_models.sh $tare
mkdir -p build/study
ln -sf "$(dirname "$smollm")/smollm2-135m-instruct-f32.gguf" "$gemma" build/study/
for environment in hf vllm; do $tare doctor --install $environment --quiet >/dev/null; done
[ -e build/release/llama_server.txt ] || cmake --build build/release --target llama_server >/dev/null
server=$(cat build/release/llama_server.txt)

servers=()
stop() {
  [ ${#servers[@]} = 0 ] || kill "${servers[@]}"
  wait
}
trap stop EXIT

# serve FILE PORT: one slot, so that an answer does not depend on what else is asked; all else as it comes.
serve() {
  "$server" -m "$1" --host 127.0.0.1 --port "$2" -np 1 -c 4096 -t 2 >"build/study/server-$2.log" 2>&1 &
  servers+=($!)
  for _ in $(seq 120); do
    python3 -c "import urllib.request as u; u.urlopen('http://127.0.0.1:$2/health')" 2>/dev/null && return
    kill -0 "${servers[-1]}" 2>/dev/null || break
    sleep 0.5
  done
  say "llama-server does not answer at port $2; see build/study/server-$2.log"
  exit 1
}
serve build/study/smollm2-135m-instruct-f32.gguf 8081
serve build/study/gemma-3-270m-q4_k_m.gguf 8082

# A trial would start each library once more, which for vLLM takes longer than its cells.
$tare study examples/backends.yaml --no-trial "$@"
