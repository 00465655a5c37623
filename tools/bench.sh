#!/usr/bin/env bash
# Builds with the bench preset and runs every benchmark program. Arguments go to each of them, for
# example --benchmark_filter=load.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/setup.sh demo
tools/build.sh bench
# shellcheck source=tools/env.sh
. tools/env.sh

if [[ -d ../shared/data ]]; then
  export PLANEX_TEST_DATA="${PLANEX_TEST_DATA:-$(realpath ../shared/data)}"
fi
mapfile -d '' -t programs < <(find build/bench -type f -executable -name '*_bench' -print0 | sort -z)
if ((${#programs[@]} == 0)); then
  printf 'bench: the bench preset built no program called *_bench\n' >&2
  exit 1
fi
for program in "${programs[@]}"; do
  printf '\n--- %s\n' "${program#build/bench/}"
  "$program" "$@"
done
