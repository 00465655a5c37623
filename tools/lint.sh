#!/usr/bin/env bash
# All checks that run no program of ours but one: formatting, linters, who may include whom,
# spelling, and generated files. Runs all of them and then says which failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/setup.sh test
# shellcheck source=tools/env.sh
. tools/env.sh

failed=()
check() {
  local name="$1"
  shift
  printf -- '--- %s\n' "$name"
  "$@" || failed+=("$name")
}

check "formatting" tools/format.sh --check
check "ruff" ruff check --quiet .
check "web types" npm --prefix web --silent run typecheck
check "web linter" npm --prefix web --silent run lint
check "dependencies" tools/check_deps.py
check "clang-tidy on what changed" tools/tidy.sh
check "names of files compiled together" tools/check_unity.py
check "retired words" tools/check_words.py
check "spelling" codespell
check "generated files" tools/check_generated.sh

if ((${#failed[@]} > 0)); then
  printf 'lint: failed: %s\n' "$(printf '%s, ' "${failed[@]}" | sed 's/, $//')" >&2
  exit 1
fi
printf 'lint: all checks passed\n'
