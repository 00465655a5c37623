#!/usr/bin/env bash
# The Python package as users have it, in an environment of its own: its wheel, and what it works
# with (requirements/python-test.txt, python-cluster.txt). Prints the folder of the environment.
#
# The wheel is that of build/dist; tools/wheel.sh makes it where it is not there, or where
# PLANEX_WHEEL=new asks for it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# shellcheck source=tools/env.sh
. tools/env.sh

shopt -s nullglob
wheels=(build/dist/planex_explorer-*.whl)
if [[ ${PLANEX_WHEEL:-} == new ]] || ((${#wheels[@]} == 0)); then
  tools/setup.sh wheel >&2
  tools/wheel.sh >&2
  wheels=(build/dist/planex_explorer-*.whl)
fi

venv=build/test/python
lists=(requirements/python-test.txt requirements/python-cluster.txt)
if [[ $(cat "$venv/.list" 2>/dev/null) != "$(cat "${lists[@]}")" ]]; then
  rm -rf "$venv"
  python -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
    "${lists[@]/#/--requirement=}" >&2
  cat "${lists[@]}" >"$venv/.list"
fi
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-index \
  --force-reinstall "${wheels[-1]}" >&2
printf '%s\n' "$venv"
