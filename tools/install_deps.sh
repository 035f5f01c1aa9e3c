#!/bin/sh
# Installs the Debian packages named in the given lists (default: packages.txt) that are missing.
# Does nothing, quickly, when all are there. Needs root (or sudo) only if something is missing.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- packages.txt

say() { printf 'tare: %s\n' "$*" >&2; }

wanted=$(sed -e 's/#.*//' "$@" | tr -s ' \t' '\n' | sed '/^$/d')
missing=
for package in $wanted; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
  say "these Debian packages are missing and there is no apt-get to install them:$missing"
  exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    say "these packages are missing; install them as root: apt-get install$missing"
    exit 1
  fi
  as_root=sudo
fi

say "installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! $as_root apt-get update -qq >"$log" 2>&1; then
  say "apt-get update failed: $(grep -m1 -E '^(E|W|Err)' "$log" || tail -n1 "$log"); check the network"
  exit 1
fi
if ! DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >"$log" 2>&1; then
  say "apt-get install failed: $(grep -m1 -E '^(E|W|Err)' "$log" || tail -n1 "$log"); check the network and the free disk space"
  exit 1
fi
