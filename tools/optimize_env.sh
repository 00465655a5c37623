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
tools/list_env.sh "build/bench/optimize-$1" "requirements/optimize-$1.txt"
