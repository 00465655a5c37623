#!/usr/bin/env bash
# Builds the explorer, planex as a page that reads engines in the browser, into dist/explorer, and
# prints that folder: index.html with what it loads beside it, for a server, and planex.html, which has
# all of it inside and needs none. With --single only the latter.
#
# PLANEX_CORE is the core as WebAssembly; without it tools/core.sh builds one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

modes=(explorer explorer-alone)
case "${1:-}" in
  "") ;;
  --single) modes=(explorer-alone) ;;
  *)
    printf 'page.sh: unknown option %s; there is --single\n' "$1" >&2
    exit 2
    ;;
esac

tools/setup.sh core
# shellcheck source=tools/env.sh
. tools/env.sh
if [[ -z ${PLANEX_CORE:-} ]]; then PLANEX_CORE="$(tools/core.sh)"; fi
PLANEX_CORE="$(realpath "$PLANEX_CORE")"
export PLANEX_CORE

# Files of an earlier build would be served, too.
rm -rf dist/explorer
for mode in "${modes[@]}"; do (cd web && node_modules/.bin/vite build --mode "$mode" >&2); done
printf '%s\n' "$PWD/dist/explorer"
