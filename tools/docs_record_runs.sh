#!/usr/bin/env bash
# Records the OpenVINO runs of the documents again: tools/docs_record_runs.sh [ROUNDS]
#
# Each round compiles and profiles every variant of the ResNet-18 once; of all rounds a variant keeps
# the one whose median latency and sum of layer times are least together: the one that other programs
# disturbed least.
# Manifests are left out: they hold this machine's paths.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/env.sh
. tools/env.sh

rounds="${1:-6}"
planex="${PLANEX_BIN:-build/release/planex}"
work=build/docs/record
out=examples/engines/resnet18-openvino
variants=(fp32 qdq-naive qdq-residual qdq-residual-gap qdq-shared)

mkdir -p "$work"
python examples/resnet18/make_resnet18.py --batch 1 -o "$work/models" >/dev/null

cost() { # FOLDER
  python -c '
import json, statistics, sys
times, profile = (json.load(open(name)) for name in sys.argv[1:])
print(statistics.median(times["columns"]["latency_ms"]) + profile["sum_median_ms"])' \
    "$1"/*.times.json "$1"/*.profile.json
}

for ((round = 1; round <= rounds; ++round)); do
  for variant in "${variants[@]}"; do
    name="resnet18-$variant"
    rm -rf "$work/new"
    "$planex" process "$work/models/$name.onnx" -o "$work/new" -- \
      --precision f32 --threads 1 --iterations 200 </dev/null >/dev/null 2>&1
    fresh="$(cost "$work/new")"
    best="$(cost "$work/best/$name" 2>/dev/null || printf inf)"
    printf 'round %s: %s %s ms (best %s)\n' "$round" "$name" "$fresh" "$best"
    if python -c 'import sys; sys.exit(float(sys.argv[1]) >= float(sys.argv[2]))' "$fresh" "$best"; then
      mkdir -p "$work/best"
      rm -rf "$work/best/$name"
      mv "$work/new" "$work/best/$name"
    fi
  done
done

for variant in "${variants[@]}"; do
  rm -rf "${out:?}/$variant"
  mkdir -p "$out/$variant"
  cp "$work/best/resnet18-$variant/"*.{graph,profile,times}.json "$out/$variant/"
done
