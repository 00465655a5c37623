#!/usr/bin/env bash
# The whole way on a ResNet-18: makes the model in its variants, builds and profiles an engine of
# each with the embedded OpenVINO, and compares them. The last line is the path of the report.
#
# PLANEX_DEMO_BATCH and PLANEX_DEMO_ITERATIONS change the size; one thread, because a shared
# machine disturbs several threads more than one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

batch="${PLANEX_DEMO_BATCH:-8}"
iterations="${PLANEX_DEMO_ITERATIONS:-20}"

tools/setup.sh demo
# The compiler's lines are of no interest here, unless it fails.
mkdir -p build/demo
printf 'demo: building planex (log: build/demo/build.log)\n'
if ! tools/build.sh release >build/demo/build.log; then
  tail -n 40 build/demo/build.log >&2
  exit 1
fi
# shellcheck source=tools/env.sh
. tools/env.sh

planex=build/release/planex
models=build/demo/models
runs=build/demo/runs

# --- Models ---------------------------------------------------------------------------------------

# Made again only when the generator, its libraries or the batch size change.
key="$(cat examples/resnet18/make_resnet18.py requirements/demo.txt | sha256sum) $batch"
if [[ ! -f $models/.made-from || $(<"$models/.made-from") != "$key" ]]; then
  printf 'demo: making the models (batch %s)\n' "$batch"
  rm -rf "$models"
  python examples/resnet18/make_resnet18.py --batch "$batch" -o "$models" >/dev/null
  printf '%s\n' "$key" >"$models/.made-from"
fi

# --- Engines --------------------------------------------------------------------------------------

# run NAME MODEL PRECISION: what the layers that are not quantized compute in. Always said: the
# engine would otherwise choose bfloat16 on CPUs that have it, and FP32 elsewhere.
names=()
run() {
  local name="$1" model="$2" precision="$3"
  printf '\n$ planex process %s -o %s -- --precision %s\n' "$model" "$runs/$name" "$precision"
  rm -rf "${runs:?}/$name"
  "$planex" process "$models/$model" -o "$runs/$name" -- \
    --precision "$precision" --threads 1 --iterations "$iterations" </dev/null
  names+=("$runs/$name")
}

run resnet18-fp32 resnet18-fp32.onnx f32
if grep -qEw -m1 'avx512_bf16|amx_bf16' /proc/cpuinfo 2>/dev/null; then
  run resnet18-bf16 resnet18-fp32.onnx bf16
fi
for variant in naive residual residual-gap shared; do
  run "resnet18-qdq-$variant" "resnet18-qdq-$variant.onnx" f32
done

# --- What there is to see -------------------------------------------------------------------------

show() {
  printf '\n$ planex %s\n' "$*"
  # lint ends with 1 when it finds something, which is the point here.
  "$planex" "$@" </dev/null || (($? == 1))
}

show summary "$runs/resnet18-qdq-naive"
show compare "${names[@]}"
show lint "$runs/resnet18-qdq-naive"

# What each placement removed: conversions, and layers that wrote floats and do so no more.
gone() {
  local before="$1" after="$2"
  printf '\nqdq-%s -> qdq-%s: layers that wrote FP32 or converted, and went\n' "$before" "$after"
  "$planex" query "$runs/resnet18-qdq-$before" "$runs/resnet18-qdq-$after" "
    select a.name, a.type, a.precision || ' → ' || a.output_precision as flow,
           a.median_ms, a.output_bytes
    from work_layers a
    where a.engine = '$before' and (a.output_precision = 'FP32' or a.family = 'reformat')
      and not exists (select 1 from work_layers b
                      where b.engine = '$after' and b.output_precision = a.output_precision
                        and (b.name = a.name or exists (
                          select 1 from sources s join sources t on s.op_name = t.op_name
                          where s.engine = a.engine and s.layer_id = a.layer_id
                            and t.engine = b.engine and t.layer_id = b.layer_id
                            and s.op_type not like '%Quantize%')))
    order by a.layer_id" </dev/null
  printf 'findings left:\n'
  "$planex" query "$runs/resnet18-qdq-$after" \
    "select rule, count(*) as findings, sum(estimated_ms) from findings group by rule" </dev/null
}
gone naive residual
gone residual residual-gap
gone residual-gap shared
show lint "$runs/resnet18-qdq-shared"

"$planex" report "${names[@]}" -o build/demo/report.html </dev/null >/dev/null
printf '\nThe report, for any browser:\n%s\n' "$PWD/build/demo/report.html"
