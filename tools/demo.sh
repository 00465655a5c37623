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
  printf 'demo: compiling and measuring %s\n' "$name"
  rm -rf "${runs:?}/$name"
  if ! "$planex" process "$models/$model" -o "$runs/$name" -- \
    --precision "$precision" --threads 1 --iterations "$iterations" --profile-ms 1500 \
    </dev/null >"build/demo/$name.log" 2>&1; then
    cat "build/demo/$name.log" >&2
    exit 1
  fi
  names+=("$runs/$name")
}

run resnet18-fp32 resnet18-fp32.onnx f32
if grep -qEw -m1 'avx512_bf16|amx_bf16' /proc/cpuinfo 2>/dev/null; then
  run resnet18-bf16 resnet18-fp32.onnx bf16
fi
quantized=()
for variant in naive residual residual-gap shared; do
  run "resnet18-qdq-$variant" "resnet18-qdq-$variant.onnx" f32
  quantized+=("$runs/resnet18-qdq-$variant")
done

# --- What there is to see -------------------------------------------------------------------------

printf '\nOne ResNet-18, batch %s, in %s builds on this CPU (planex compare):\n\n' \
  "$batch" "${#names[@]}"
"$planex" compare "${names[@]}" </dev/null | sed '1,/^$/!d'

printf 'What each placement of Q/DQ removed from the one before, and gained (planex query):\n\n'
"$planex" query "${quantized[@]}" "
  with build as (
    select engine, min(rowid) as place, sum(coalesce(median_ms, mean_ms)) as ms, sum(output_bytes) / 1e6 as mb,
           sum(output_precision = 'FP32' or family = 'reformat') as floats
    from work_layers group by engine),
  step as (
    select lag(engine) over (order by place) || ' → ' || engine as step,
           lag(floats) over (order by place) - floats as \"layers that write floats\",
           lag(mb) over (order by place) - mb as \"MB written\",
           lag(ms) over (order by place) - ms as \"ms of layers\", place from build)
  select step, \"layers that write floats\", round(\"MB written\", 1) as \"MB written\",
         round(\"ms of layers\", 3) as \"ms of layers\"
  from step where step is not null order by place" </dev/null

printf '\nThe layer that takes longest in the last build (planex layers):\n\n'
"$planex" layers "${quantized[-1]}" --sort mean_ms --top 1 </dev/null

"$planex" report "${names[@]}" -o build/demo/report.html </dev/null >/dev/null
printf '\nThe report, for any browser:\n%s\n' "$PWD/build/demo/report.html"
