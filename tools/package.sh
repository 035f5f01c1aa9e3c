#!/bin/sh
# tools/package.sh [wheel [ARGUMENT...]]: makes the .deb and the .tar.gz in build/packages, or a wheel there,
# with these arguments for pip. Prints their paths. What CPack and pip say is in build/packages/*.log.
set -eu
cd "$(dirname "$0")/.."
out=$PWD/build/packages
mkdir -p "$out"
say() { printf 'tare: %s\n' "$*" >&2; }

failed() {
  say "$1 failed: $(grep -m1 -iE 'error' "$2" || tail -n1 "$2") (all of it: $2)"
  exit 1
}

if [ "${1:-}" = wheel ]; then
  shift
  log=$out/wheel.log
  say "building a wheel"
  rm -f "$out"/*.whl
  # The compilers of all other builds, and not those that Python was made with.
  CC=${CC:-cc} CXX=${CXX:-c++} python3 -m pip wheel . --no-deps --disable-pip-version-check -w "$out" "$@" >"$log" 2>&1 || failed wheel "$log"
  ls "$out"/*.whl
  exit
fi

command -v dpkg-shlibdeps >/dev/null || { say "a .deb needs dpkg-shlibdeps; install dpkg-dev"; exit 2; }
tools/build.sh release tare
log=$out/cpack.log
rm -f "$out"/*.deb "$out"/*.tar.gz
say "packing"
(cd build/release && cpack -B "$out" -G 'DEB;TGZ') >"$log" 2>&1 || failed packing "$log"
rm -rf "$out/_CPack_Packages"
ls "$out"/*.deb "$out"/*.tar.gz
