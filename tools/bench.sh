#!/usr/bin/env bash
# Builds with the bench preset and measures.
#
#   tools/bench.sh                    whole processes beside their peers, then the micro benchmarks
#   tools/bench.sh --only scale ...   whole processes; arguments as of bench/run_bench.py
#   tools/bench.sh micro ...          micro benchmarks; arguments as --benchmark_filter=Load
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/setup.sh demo bench
tools/build.sh bench
# shellcheck source=tools/env.sh
. tools/env.sh

if [[ -d ../shared/data ]]; then
  PLANEX_TEST_DATA="${PLANEX_TEST_DATA:-$(realpath ../shared/data)}"
  export PLANEX_TEST_DATA
fi
export PLANEX_BENCH_DATA="$PWD/build/bench/data"

if [[ ${1:-} != micro ]]; then
  python3 bench/run_bench.py "$@"
  if (($# > 0)); then exit; fi
else
  shift
  python3 bench/run_bench.py --only data
fi
mapfile -d '' -t programs < <(find build/bench -type f -executable -name '*_bench' -print0 | sort -z)
for program in "${programs[@]}"; do
  printf '\n--- %s\n' "${program#build/bench/}"
  "$program" "$@"
done
