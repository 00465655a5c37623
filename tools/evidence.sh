#!/usr/bin/env bash
# What came of it where advice was followed: tools/evidence.py, with the engines that it runs.
#
#   tools/evidence.sh run [RULE...]      build, measure, write records, docs/reference/evidence.md
#   tools/evidence.sh check [RULE...]    build once, compare results: the group `evidence` of tools/test.sh
#   tools/evidence.sh page [--check]     the page alone
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[[ -n ${PLANEX_BIN:-} || -x build/release/planex ]] || tools/build.sh release
if [[ ${1:-} != page && -z ${PLANEX_DRIVERS_PYTHON:-} ]]; then
  PLANEX_DRIVERS_PYTHON="$(tools/drivers_env.sh)"
  export PLANEX_DRIVERS_PYTHON
fi
# shellcheck source=tools/env.sh
. tools/env.sh
exec python3 tools/evidence.py "$@"
