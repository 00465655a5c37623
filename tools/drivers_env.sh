#!/usr/bin/env bash
# An environment with the engines that planex's Python programs drive (requirements/drivers.txt), as a
# user has one. Prints its interpreter.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/list_env.sh build/test/drivers requirements/drivers.txt
