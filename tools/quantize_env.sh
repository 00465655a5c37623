#!/usr/bin/env bash
# An environment with models to quantize, what draws data for them, and other tools that quantize
# (requirements/quantize.txt). Prints its interpreter.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

venv=build/test/quantize
list=requirements/quantize.txt
if [[ $(cat "$venv/.list" 2>/dev/null) != "$(<"$list")" ]]; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --no-deps \
    --requirement "$list" >&2
  cp "$list" "$venv/.list"
fi
printf '%s\n' "$PWD/$venv/bin/python"
