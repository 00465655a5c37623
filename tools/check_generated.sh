#!/usr/bin/env bash
# Checks that the documents say what the program says, and that generated sources are fresh;
# --update writes them again.
#
# tools/docs_update.py has the list of generated pages and runs the commands that pages show;
# tools/docs_links.py looks at the links between pages; tools/font_widths.py writes the widths of
# letters, tools/palette.py the colours, tools/evidence.py what came of advice that was followed, from
# the records of tests/evidence.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

check=(--check)
case "${1:-}" in
  "") ;;
  --update) check=() ;;
  *)
    printf 'usage: tools/check_generated.sh [--update]\n' >&2
    exit 2
    ;;
esac

[[ -n ${PLANEX_BIN:-} || -x build/release/planex ]] || tools/build.sh release

# shellcheck source=tools/env.sh
. tools/env.sh

status=0
python3 tools/font_widths.py "${check[@]}" || status=1
python3 tools/palette.py "${check[@]}" || status=1
python3 tools/docs_update.py "${check[@]}" || status=1
python3 tools/evidence.py page "${check[@]}" || status=1
python3 tools/docs_links.py || status=1
exit "$status"
