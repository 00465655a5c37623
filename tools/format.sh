#!/usr/bin/env bash
# Formats all sources in place, or with --check says which are not and exits 1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

check=no
case "${1:-}" in
  "") ;;
  --check) check=yes ;;
  *)
    printf 'usage: tools/format.sh [--check]\n' >&2
    exit 2
    ;;
esac

tools/setup.sh test
# shellcheck source=tools/env.sh
. tools/env.sh

# Tracked and new files, but not ignored ones; a deleted file is still listed until it is staged.
files() {
  local file
  git ls-files -z --cached --others --exclude-standard -- "$@" | while IFS= read -r -d '' file; do
    if [[ -f $file ]]; then printf '%s\0' "$file"; fi
  done | sort -zu
}

bad=()
run() {
  local name="$1"
  shift
  "$@" || bad+=("$name")
}
files_to() { files "${patterns[@]}" | xargs -0 -r "$@"; }

patterns=('src/*.cc' 'src/*.h' 'include/*.h' 'tests/*.cc' 'tests/*.h' 'bench/*.cc' 'bench/*.h'
  'fuzz/*.cc' 'fuzz/*.h' 'examples/*.cc' 'examples/*.h')
if [[ $check == yes ]]; then
  run clang-format files_to clang-format --dry-run -Werror --style=file
else
  run clang-format files_to clang-format -i --style=file
fi

patterns=('CMakeLists.txt' '*/CMakeLists.txt' '*.cmake')
if [[ $check == yes ]]; then
  run gersemi files_to gersemi --check --diff
else
  run gersemi files_to gersemi --in-place
fi

if [[ $check == yes ]]; then
  run "ruff format" ruff format --check .
else
  run "ruff format" ruff format .
fi

if [[ -f web/package.json ]]; then
  if [[ $check == yes ]]; then
    run prettier npm --prefix web --silent run format:check
  else
    run prettier npm --prefix web --silent run format
  fi
fi

if ((${#bad[@]} > 0)); then
  printf 'format: not clean: %s (make format)\n' "$(printf '%s, ' "${bad[@]}" | sed 's/, $//')" >&2
  exit 1
fi
