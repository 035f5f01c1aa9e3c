#!/bin/sh
# tools/make_models.sh TARE: makes the F32, Q8_0 and Q4_K_M files of the demo model beside it in the
# cache, unless they are there.
set -eu
tare=$1
cache=${TARE_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/tare}
base=$cache/models/smollm2-135m-instruct
for type in F32 Q8_0 Q4_K_M; do
  target=$base-$(printf %s "$type" | tr 'A-Z' 'a-z').gguf
  [ -e "$target" ] || "$tare" quantize "$base-q4_1.gguf" "$target" "$type"
done
