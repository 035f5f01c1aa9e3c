#!/bin/bash
# What tools/package.sh made, on a Debian 12 that has nothing: no compiler, none of packages.txt. The demo has
# to give the same results and samples, byte for byte, from the .tar.gz, from the .tar.gz in another place, from the
# .deb (installed as packaging/Containerfile does) and from the wheel.
#
# Usage: clean_machine.sh [PACKAGES]   (default: build/packages). Exit code 77: skipped, with the reason.
# Needs root, debootstrap and a Debian mirror; TARE_MIRROR names one.
set -euo pipefail
cd "$(dirname "$0")/../.."
packages=$(realpath -m "${1:-build/packages}")
cache=${TARE_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/tare}
model=$cache/models/smollm2-135m-instruct-q4_1.gguf

skip() { printf 'skipped: %s\n0 passed, 0 failed, 1 skipped\n' "$*"; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "needs root, to make a root file system"
command -v debootstrap >/dev/null || skip "needs debootstrap"
[ -e "$model" ] || skip "needs the demo model (tools/fetch.sh demo-model)"
deb=$(ls "$packages"/tare_*.deb 2>/dev/null) || skip "needs a .deb in $packages (tools/package.sh)"
archive=$(ls "$packages"/tare-*.tar.gz 2>/dev/null) || skip "needs a .tar.gz in $packages (tools/package.sh)"
wheel=$(ls "$packages"/tare-*.whl 2>/dev/null) || wheel=
mirror=${TARE_MIRROR:-$(sed -nE 's/^URIs: *(\S+debian)\/?$/\1/p; s/^deb +(\[[^]]*\] +)?(\S+debian)\/? .*/\2/p' \
  /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null | head -n1 || true)}

root=$(mktemp -d "${TMPDIR:-/tmp}/tare-clean-XXXXXX")
# Mounts are made in the namespaces of inside() alone and end with them.
trap 'rm -rf --one-file-system "$root"' EXIT

passed=0 failed=0
check() {
  local name=$1
  shift
  if "$@" >"$root.log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'failed: %s\n' "$name"
    tail -n 20 "$root.log"
  fi
  rm -f "$root.log"
}

# A shell command in the fresh system.
inside() {
  unshare --fork --pid --mount-proc --root="$root" --wd=/root -- \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive bash -euc "$1"
}

# The demo with the program of that path; its results are kept under the name.
demo() {
  local name=$1 program=$2
  local begin=$EPOCHREALTIME
  inside "$program run --model gguf:/root/model.gguf --tasks everyday --cache off --quiet --output /root/$name" || return 1
  awk -v name="$name" -v begin="$begin" -v end="$EPOCHREALTIME" \
    'BEGIN { printf "%s: the demo took %.1f s\n", name, end - begin }' >&3
}
# But for where the task's files lie, which the results name beside their hashes.
results() { sed -E '/"(config_source|path)": ".*\/tasks\/everyday\//d' "$root/root/$1/results.json"; }
same() {
  cmp <(results archive) <(results "$1") &&
    cmp "$root/root/archive/samples_everyday.jsonl" "$root/root/$1/samples_everyday.jsonl"
}
size() { du -sm "$1" | cut -f1; }
exec 3>&1

begin=$SECONDS
debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1 ||
  skip "debootstrap got no Debian from ${mirror:-anywhere}: $(tail -n1 "$root.log")"
rm -f "$root.log"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$model" "$root/root/model.gguf"
printf 'Debian %s, minbase, in %d s\n' "$(cat "$root/etc/debian_version")" $((SECONDS - begin))

check "the system is bare" inside '! command -v cc c++ gcc python3 && ! ldconfig -p | grep -E "libfmt|libcurl|libyaml"'

printf '%s: %s MB\n' "$(basename "$archive")" "$(size "$archive")"
mkdir "$root/opt/tare" && tar -xzf "$archive" -C "$root/opt/tare" --strip-components=1
printf 'unpacked: %s MB, %s CPU tiers\n' "$(size "$root/opt/tare")" "$(ls "$root"/opt/tare/lib/tare/libggml-cpu-*.so | wc -l)"
check "archive: no library is missing" inside \
  '! for f in /opt/tare/bin/tare; do LD_TRACE_LOADED_OBJECTS=1 $f; done | grep "not found"'
check "archive: no path of the machine that built it" bash -c \
  "! LC_ALL=C objdump -p '$root'/opt/tare/bin/tare '$root'/opt/tare/lib/tare/lib{llama,ggml}*.so* | grep -E '(RPATH|RUNPATH) +[^\$ ]'"
check "archive: all pins" inside '/opt/tare/bin/tare --version | grep -E "^Arrow [0-9.]+$"'
check "archive: the demo" demo archive /opt/tare/bin/tare
check "archive: CPU tiers" inside '/opt/tare/bin/tare ls tiers | grep "runs here"'
mv "$root/opt/tare" "$root/srv/somewhere else"
check "archive, moved: the demo" demo moved '"/srv/somewhere else/bin/tare"'
check "archive, moved: the same results" same moved

printf '%s: %s MB\n' "$(basename "$deb")" "$(size "$deb")"
mkdir "$root/packages" && cp "$deb" "$root/packages/"
sed -n '/^FROM .*slim/,$ s/^RUN //p' packaging/Containerfile >"$root/root/steps.sh"
check "deb: the steps of the container file" inside '. /root/steps.sh'
check "deb: the program is on the path" inside 'cd / && tare --version && tare ls tasks | grep everyday'
check "deb: the demo" demo deb tare
check "deb: the same results" same deb
check "deb: manual pages and completions" inside \
  'test -s /usr/share/man/man1/tare-run.1 -o -s /usr/share/man/man1/tare-run.1.gz ||
   dpkg -L tare | grep man1/tare-run.1; bash -c ". /usr/share/bash-completion/completions/tare; complete -p tare"'
check "deb: it goes without a trace" inside \
  'apt-get purge -y -qq tare && apt-get autoremove -y -qq && ! command -v tare && ! test -e /usr/lib/tare'

if [ -n "$wheel" ]; then
  printf '%s: %s MB\n' "$(basename "$wheel")" "$(size "$wheel")"
  cp "$wheel" "$root/root/"
  check "wheel: python3 with venv" inside 'apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv'
  check "wheel: pip installs it" inside "python3 -m venv /root/env && /root/env/bin/pip install --no-index '/root/$(basename "$wheel")'"
  check "wheel: the demo" demo wheel /root/env/bin/tare
  check "wheel: the same results" same wheel
  check "wheel: pip removes all of it" inside \
    '/root/env/bin/pip uninstall -y tare && ! find /root/env -type f \( -name "*tare*" -o -name "libggml*" \) | grep .'
else
  printf 'skipped: the wheel, there is none in %s (tools/package.sh wheel)\n' "$packages"
fi

printf '%d passed, %d failed, 0 skipped\n' $passed $failed
[ $failed -eq 0 ]
