#!/usr/bin/env bash
# clang-tidy on C++ sources, each compiled alone: units of several sources and the precompiled header
# hide an include that is missing, and this finds it.
#
#   tools/tidy.sh [SOURCE.cc]...    default: those changed since the upstream branch or, without one and in
#                                   CI, by the last commit, committed or not; 60 at most
#   tools/tidy.sh --all             every one (half an hour on two cores)
set -euo pipefail
MAX_CHANGED=60
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/setup.sh test
# shellcheck source=tools/env.sh
. tools/env.sh

changed_sources() {
  local base=''
  if [[ ${CI:-} != true ]]; then
    base="$(git merge-base HEAD '@{upstream}' 2>/dev/null || true)"
  fi
  if [[ -z $base ]]; then base="$(git rev-parse --quiet --verify HEAD~1)" || return 0; fi
  git diff --name-only --diff-filter=d "$base" -- '*.cc'
  git ls-files --others --exclude-standard -- '*.cc'
}

case "${1:-}" in
  -h | --help)
    sed -n '2,/^set -euo/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
    exit 0
    ;;
  --all) mapfile -t sources < <(git ls-files -- '*.cc') ;;
  '') mapfile -t sources < <(changed_sources) ;;
  *) sources=("$@") ;;
esac
if ((${#sources[@]} == 0)); then
  printf 'tidy: no C++ source has changed\n'
  exit 0
fi
if [[ $# == 0 ]] && ((${#sources[@]} > MAX_CHANGED)); then
  printf 'tidy: the first %d of %d changed sources; --all takes every one\n' \
    "$MAX_CHANGED" "${#sources[@]}"
  sources=("${sources[@]:0:MAX_CHANGED}")
fi

# Configured, never built: what is wanted is how each source is compiled. The drivers and the page
# need a compiler's output of others, so their sources are not in it.
mkdir -p build/tidy
cmake --preset tidy >build/tidy/configure.log 2>&1 || {
  cat build/tidy/configure.log >&2
  exit 1
}
mapfile -t known < <(python3 - "${sources[@]}" <<'PYTHON'
import json, pathlib, sys
commands = json.loads(pathlib.Path("build/tidy/compile_commands.json").read_text())
files = {command["file"] for command in commands}
print("\n".join(name for name in sys.argv[1:] if str(pathlib.Path(name).resolve()) in files))
PYTHON
)
if [[ ${#known[@]} == 0 || -z ${known[0]} ]]; then
  printf 'tidy: none of %d sources is built here\n' "${#sources[@]}"
  exit 0
fi
printf 'tidy: %d sources\n' "${#known[@]}"
# What Clang says of headers that are not ours is counted, not shown; that count is no news.
printf '%s\0' "${known[@]}" |
  xargs -0 -n 4 -P "$(nproc)" clang-tidy-19 -p build/tidy --quiet --warnings-as-errors='*' \
    2> >(grep -vE '^([0-9]+ warnings? generated|\[[0-9]+/[0-9]+\] Processing)' >&2)
