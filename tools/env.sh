# shellcheck shell=bash
# Sourced, not run: puts the tools that tools/setup.sh installed in front of PATH and tells CMake
# where OpenVINO is. Says nothing and fails at nothing, so that it can be sourced before setup too.

PLANEX_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
export PLANEX_ROOT

planex_env() {
  local dir
  dir="$PLANEX_ROOT/.venv/bin"
  case ":$PATH:" in
    *":$dir:"*) ;;
    *) PATH="$dir:$PATH" ;;
  esac
  for dir in "$PLANEX_ROOT"/.venv/lib/python3*/site-packages/openvino/cmake; do
    if [[ -d $dir && -z ${OpenVINO_DIR:-} ]]; then export OpenVINO_DIR="$dir"; fi
  done
  export PATH
}
planex_env
unset -f planex_env
