#!/usr/bin/env bash
# An environment of the bench of `planex optimize` (bench/optimize_peers.py). Prints its interpreter.
#
#   tools/optimize_env.sh peers       engines, tools that planex is measured beside, packaged models
#   tools/optimize_env.sh exporters   PyTorch and TensorFlow, which export models; Olive
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case "${1:-}" in
  peers | exporters) ;;
  *)
    printf 'optimize_env: %s: there are peers and exporters\n' "${1:-no name}" >&2
    exit 2
    ;;
esac
venv=build/bench/optimize-$1
list=requirements/optimize-$1.txt
if [[ $(cat "$venv/.list" 2>/dev/null) != "$(<"$list")" ]]; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --no-deps \
    --requirement "$list" >&2
  cp "$list" "$venv/.list"
fi
printf '%s\n' "$PWD/$venv/bin/python"
