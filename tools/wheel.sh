#!/usr/bin/env bash
# Builds the wheel and the source archive of the Python package: tools/wheel.sh [--core] [FOLDER]
#
# Into build/dist, or the folder. The wheel is made of the release build's own objects
# (build/release), so that after tools/build.sh little is left to compile. It is linked to run on
# systems from glibc 2.17 on (tools/old_glibc.py); PLANEX_THIS_SYSTEM=1 links it for this one, with its
# libraries.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

core=()
if [[ ${1:-} == --core ]]; then
  core=(--core)
  shift
fi
dist="$(realpath -m -- "${1:-build/dist}")"
tools/setup.sh wheel
# shellcheck source=tools/env.sh
. tools/env.sh

old=""
platform=()
if [[ ${PLANEX_THIS_SYSTEM:-} != 1 ]]; then
  tools/portable.sh old
  old="$PWD/build/portable/glibc-2.17"
  # What the wheel's name says it runs on; tests/python asks auditwheel whether it is true.
  platform=("_PYTHON_HOST_PLATFORM=manylinux_2_17_$(uname -m)")
fi
tools/build.sh "${core[@]}" release >&2

mkdir -p "$dist"
rm -f "$dist"/planex_explorer-*
# Our own environment has what a build needs, pinned; pip would look for it elsewhere.
env "${platform[@]}" python -m pip wheel --quiet --disable-pip-version-check \
  --no-build-isolation --no-deps --config-setting "cmake.define.PLANEX_BUILD_OPENVINO=ON" \
  --config-setting "cmake.define.PLANEX_OLD_GLIBC=$old" --config-setting "build-dir=build/release" \
  --wheel-dir "$dist" .
# The pages are in it as the release build made them.
python -m build --sdist --no-isolation --skip-dependency-check --outdir "$dist" . >/dev/null
ls -l "$dist"/planex_explorer-*
