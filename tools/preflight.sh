#!/bin/sh
# Finds what would stop a build half-way, before it starts: one line for the first thing missing.
set -eu
cd "$(dirname "$0")/.."

stop() { printf 'tare: %s\n' "$*" >&2; exit 1; }

for tool in cmake ninja python3; do
  command -v "$tool" >/dev/null || stop "$tool is missing; run 'make deps' as root, or install packages.txt"
done
command -v "${CXX:-c++}" >/dev/null || stop "no C++ compiler (${CXX:-c++}); run 'make deps' as root, or install g++"

# The llama.cpp build and its cache take 1.3 GB, tare's own build 0.7 GB.
cache=${TARE_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/tare}
mkdir -p "$cache" 2>/dev/null || stop "cannot write the cache folder $cache; set TARE_CACHE_DIR to a folder that can be written"
for folder in . "$cache"; do
  free=$(df -Pm "$folder" | awk 'NR == 2 { print $4 }')
  [ "$free" -ge 2000 ] || stop "only $free MB free where $folder lies, 2000 MB wanted; free some space or set TARE_CACHE_DIR"
done
