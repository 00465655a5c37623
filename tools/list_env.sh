#!/usr/bin/env bash
# An environment with the packages of a list, made again when the list changes. Prints its interpreter.
#
#   tools/list_env.sh VENV LIST
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

venv="$1" list="$2"
if [[ $(cat "$venv/.list" 2>/dev/null) != "$(<"$list")" ]]; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --no-deps \
    --requirement "$list" >&2
  cp "$list" "$venv/.list"
fi
printf '%s\n' "$PWD/$venv/bin/python"
