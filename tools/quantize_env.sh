#!/usr/bin/env bash
# An environment with models to quantize, what draws data for them, and other tools that quantize
# (requirements/quantize.txt). Prints its interpreter.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/list_env.sh build/test/quantize requirements/quantize.txt
