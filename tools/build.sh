#!/usr/bin/env bash
# Configures and builds one CMake preset:
#
#   tools/build.sh [--configure] [--core] [PRESET [CMAKE OPTION]...]
#
# With --configure nothing is built. With --core reports carry the core (tools/core.sh makes it first:
# minutes), without they are light. Without arguments the preset is release.
# PLANEX_WARNINGS_AS_ERRORS=ON makes warnings errors in the preset asan, as CI does; else no compiler
# newer than ours stops a build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

is_built=true
core=
while [[ ${1:-} == --* ]]; do
  case "$1" in
    --configure) is_built=false ;;
    --core) core="$(tools/core.sh)" ;;
    *)
      printf 'build: there is no option %s\n' "$1" >&2
      exit 2
      ;;
  esac
  shift
done
preset="${1:-release}"
options=(-D "PLANEX_CORE=$core" "${@:2}")
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
