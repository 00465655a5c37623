#!/usr/bin/env bash
# Builds the documentation site in build/site/html, and checks its links. It opens from disk and
# needs no network. What is wrong in a page is an error (tools/docs_site/build.py).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/setup.sh docs
[[ -n ${PLANEX_BIN:-} || -x build/release/planex ]] || tools/build.sh release
# shellcheck source=tools/env.sh
. tools/env.sh

# The interfaces of Python and for assistants are described by the package itself.
venv="$(tools/python_env.sh)"
packages="$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
PYTHONPATH="$PWD/tools" python tools/docs_site/build.py "$packages"
