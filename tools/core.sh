#!/usr/bin/env bash
# Builds the core as WebAssembly, build/wasi/src/c_api/planex.wasm, and prints its path; with --test
# holds it against the program in PLANEX_BIN (default: that of the release build) over all engines.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/setup.sh core >&2
if [[ ${1:-} == --test ]]; then tools/setup.sh test >&2; fi
# shellcheck source=tools/env.sh
. tools/env.sh
tools/portable.sh wasi
cmake --preset wasi >&2
cmake --build --preset wasi >&2
core="$PWD/build/wasi/src/c_api/planex.wasm"
if [[ ${1:-} == --test ]]; then
  PLANEX_CORE="$core" PLANEX_BIN="${PLANEX_BIN:-$PWD/build/release/planex}" \
    python -m pytest -q tests/core
fi
printf '%s\n' "$core"
