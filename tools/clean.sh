#!/usr/bin/env bash
# Removes what was built. Keeps what was installed (.venv, web/node_modules): see tools/setup.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rm -rf build dist web/dist
