#!/usr/bin/env bash
# Tests the Python package as users have it: its wheel, in an environment that has nothing else of
# this repository. tools/test_python.sh [PYTEST ARGUMENT]...
#
# tools/python_env.sh says which wheel.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/setup.sh wheel
# shellcheck source=tools/env.sh
. tools/env.sh

venv="$(tools/python_env.sh)"
wheels=(build/dist/planex_explorer-*.whl)

# OpenVINO and nothing else of our own environment, and a model for it.
site=build/test/openvino-site
mkdir -p "$site"
for folder in .venv/lib/python3*/site-packages/openvino; do
  ln -sfn "$PWD/$folder" "$site/openvino"
  export PLANEX_OPENVINO_SITE="$PWD/$site"
done
python examples/resnet18/make_resnet18.py --variant tiny-fp32 -o build/test/models >/dev/null
export PLANEX_TINY_MODEL="$PWD/build/test/models/tiny-fp32.onnx"

# Types that the wheel's build makes.
cp build/release/python/made/* python/planex/
mypy --python-executable "$venv/bin/python" --cache-dir build/.mypy_cache
package="$("$venv/bin/python" -P -c 'import planex, pathlib; print(pathlib.Path(planex.__file__).parent)')"
PLANEX_WHEEL_FILE="$PWD/${wheels[-1]}" PATH="$PWD/$venv/bin:$PATH" \
  "$venv/bin/python" -P -m pytest tests/python "$package" docs/how-to/use-from-python.md \
  docs/how-to/sweeps-from-python.md \
  --doctest-modules --doctest-glob='use-from-python.md' --doctest-glob='sweeps-from-python.md' \
  -o doctest_optionflags='ELLIPSIS IGNORE_EXCEPTION_DETAIL' "$@"
