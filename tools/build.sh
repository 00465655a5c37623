#!/usr/bin/env bash
# Configures and builds one CMake preset: tools/build.sh [--configure] [PRESET [CMAKE OPTION]...]
#
# With --configure nothing is built. Without arguments the preset is release.
# PLANEX_WARNINGS_AS_ERRORS=ON makes warnings errors in the preset asan, as CI does; else no compiler
# newer than ours stops a build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

is_built=true
if [[ ${1:-} == --configure ]]; then
  is_built=false
  shift
fi
preset="${1:-release}"
options=("${@:2}")
if [[ $preset == asan ]]; then
  options+=(-D "PLANEX_WARNINGS_AS_ERRORS=${PLANEX_WARNINGS_AS_ERRORS:-OFF}")
fi
case "$preset" in
  asan | tsan) tools/setup.sh asan ;;
  *) tools/setup.sh build ;;
esac
# shellcheck source=tools/env.sh
. tools/env.sh

cmake --preset "$preset" "${options[@]}"
if $is_built; then cmake --build --preset "$preset"; fi
