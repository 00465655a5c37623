#!/usr/bin/env bash
# Builds the wheel and the source archive of the Python package: tools/wheel.sh [FOLDER]
#
# Into build/dist, or the folder. The wheel is made of the release build's own objects
# (build/release), so that after tools/build.sh little is left to compile. CMAKE_TOOLCHAIN_FILE in
# the environment builds it with another tool chain, in a folder of its own: build/wheel.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

dist="$(realpath -m -- "${1:-build/dist}")"
tools/setup.sh wheel
# shellcheck source=tools/env.sh
. tools/env.sh

options=(--config-setting "cmake.define.PLANEX_BUILD_OPENVINO=ON")
if [[ -n ${CMAKE_TOOLCHAIN_FILE:-} ]]; then
  options+=(--config-setting "build-dir=build/wheel")
else
  tools/build.sh release >&2
  options+=(--config-setting "build-dir=build/release")
fi

mkdir -p "$dist"
rm -f "$dist"/planex_explorer-*
# Our own environment has what a build needs, pinned; pip would look for it elsewhere.
python -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps \
  "${options[@]}" --wheel-dir "$dist" .
# The pages are in it as the release build made them.
python -m build --sdist --no-isolation --skip-dependency-check --outdir "$dist" . >/dev/null
ls -l "$dist"/planex_explorer-*
