#!/usr/bin/env bash
# Installs the release build: tools/install.sh PREFIX
#
# Builds only where nothing is built yet, so that "sudo make install" after "make build" leaves no
# files of root's in the build folder.
set -euo pipefail

if (($# != 1)) || [[ -z $1 ]]; then
  printf 'usage: tools/install.sh PREFIX\n' >&2
  exit 2
fi
prefix="$(realpath -m -- "$1")"
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/env.sh
. tools/env.sh

[[ -x build/release/planex ]] || tools/build.sh release
cmake --install build/release --prefix "$prefix"
