#!/usr/bin/env bash
# Writes the reports that the page's tests open: tools/make_test_reports.sh PLANEX DATA OUT
#
# DATA is the folder of real engines.
set -euo pipefail

if (($# != 3)); then
  printf 'usage: tools/make_test_reports.sh PLANEX DATA OUT\n' >&2
  exit 2
fi
planex="$(realpath -- "$1")"
data="$(realpath -- "$2")"
mkdir -p "$3"
out="$(realpath -- "$3")"
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/env.sh
. tools/env.sh

engines="$out/engines"
mkdir -p "$engines"
# Synthetic engines are cheap to write but for the large ones, which are kept. 10 000 layers is the
# size that the page's time budget is stated for, 100 000 the one that must be usable.
python tools/make_hostile_engine.py "$engines/hostile"
synthetic() {
  local name="$1" layers="$2"
  if [[ -f $engines/$name/$name.graph.json ]]; then return; fi
  rm -rf "$engines/$name.partial" "${engines:?}/$name"
  python bench/make_engine.py --layers "$layers" --shape branchy --times 1000 \
    --output "$engines/$name.partial/$name"
  mv "$engines/$name.partial" "$engines/$name"
}
synthetic large 10000
synthetic huge 100000

report() {
  local name="$1"
  shift
  "$planex" report --light "$@" -o "$out/$name.html" </dev/null
}
real() { printf '%s/engines/%s' "$data" "$1"; }
# Several engines, and what the terminal says of them.
compared() {
  local name="$1" plans=()
  shift
  for plan in "$@"; do plans+=("$(real "$plan")"); done
  report "$name" "${plans[@]}"
  "$planex" compare "${plans[@]}" --format json </dev/null >"$out/$name.compare.json"
}

report single "$(real resnet18-a100-qat)"
# What the terminal says of the same engine: the page must say the same.
"$planex" summary "$(real resnet18-a100-qat)" --format json </dev/null >"$out/single.summary.json"
"$planex" summary --timing "$(real resnet18-a100-qat)" --format json </dev/null \
  >"$out/single.timing.json"
"$planex" explain memory "$(real resnet18-a100-qat)" --format json </dev/null \
  >"$out/single.memory.json"
# A run that warms up and has spikes; figures without samples; streams and no times; no sizes.
report unsteady "$(real mobilenet-titanrtx-qat)"
"$planex" summary --timing "$(real mobilenet-titanrtx-qat)" --format json </dev/null \
  >"$out/unsteady.timing.json"
report openvino "$(real openvino2026.4-resnet18-fp32-b8)"
"$planex" summary --timing "$(real openvino2026.4-resnet18-fp32-b8)" --format json </dev/null \
  >"$out/openvino.timing.json"
# A processor that grew hot in the middle of the run.
hot=tests/golden/lint/machine-disturbed-timing/fires/input
report machine "$hot"
"$planex" summary --timing "$hot" --format json </dev/null >"$out/machine.timing.json"
report streams "$(real rtx1.7-branches-streams)"
"$planex" explain memory "$(real rtx1.7-branches-streams)" --format json </dev/null \
  >"$out/streams.memory.json"
report no-sizes "$(real rtx1.7-transformer-dynamic)"
report waived "$(real resnet18-a100-qat)" --waivers examples/lint/waivers.json --today 2026-10-01
"$planex" lint "$(real resnet18-a100-qat)" --waivers examples/lint/waivers.json \
  --today 2026-10-01 --format json </dev/null >"$out/waived.lint.json"
report solved "$(real resnet18-a100-qat)" "$(real resnet18-a100-qat-residual)"
report logs "$(real mnist-trt8.6.0-names-only)"
report no-profile "$(real rtx1.7-resnet18-qdq-residual)"
# What the builder tried, which only verbose logs tell.
report tactics "$(real mnist-trt10.14.1-logs)/result-02.log"
"$planex" explain tactics "$(real mnist-trt10.14.1-logs)/result-02.log" --format json \
  </dev/null >"$out/tactics.explain.json"
# What quantizing lost. The records are a stand-in: they need samples and a model to run.
rm -rf "$engines/accuracy"
cp -r tests/data/openvino/resnet18-qdq-naive "$engines/accuracy"
python tests/support/quantized_records.py "$engines/accuracy/resnet18-qdq-naive.graph.json" \
  "$engines/accuracy"
report accuracy "$engines/accuracy"
rm -rf "$engines/accuracy-worse"
cp -r "$engines/accuracy" "$engines/accuracy-worse"
python tests/support/quantized_records.py "$engines/accuracy/resnet18-qdq-naive.graph.json" \
  "$engines/accuracy-worse" --worse 6
report accuracy-pair "$engines/accuracy" "$engines/accuracy-worse"
# Two builds of which one chose another kernel.
mkdir -p "$engines/tactic-pair"
cp "$(real mnist-trt8.2.3-names-only)/result-FP32.txt" "$engines/tactic-pair/a.log"
"$planex" explain tactics "$engines/tactic-pair/a.log" --format json </dev/null \
  >"$engines/tactic-pair/explained.json"
python tests/support/other_winner.py "$engines/tactic-pair/a.log" \
  "$engines/tactic-pair/explained.json" MaxPool2d_1 >"$engines/tactic-pair/b.log"
tactic_pair=("$engines/tactic-pair/a.log" "$engines/tactic-pair/b.log")
report tactic-pair "${tactic_pair[@]}"
"$planex" compare "${tactic_pair[@]}" --format json </dev/null >"$out/tactic-pair.compare.json"
for name in logs:mnist-trt8.6.0-names-only no-profile:rtx1.7-resnet18-qdq-residual \
  openvino:openvino2026.4-resnet18-fp32-b8 single:resnet18-a100-qat; do
  "$planex" doctor "$(real "${name#*:}")" --format json </dev/null >"$out/${name%%:*}.doctor.json"
  "$planex" lint "$(real "${name#*:}")" --format json </dev/null >"$out/${name%%:*}.lint.json"
done
compared compare resnet18-a100-{fp32,fp16,qat,qat-residual,qat-residual-qgap}
compared engine-pair resnet18-a100-{qat,qat-residual}
compared strangers resnet18-a100-qat controlnet-a10-trt8.6
compared without-times rtx1.7-resnet18-{fp16,fp32}
# Kernels under layers. The trace is a stand-in: there is no GPU where this runs.
rm -rf "$engines/kernels"
cp -r "$(real resnet18-a100-qat)" "$engines/kernels"
chmod -R u+w "$engines/kernels"
python tests/support/nsight_export.py "$engines/kernels" \
  "$engines/kernels/resnet-qat.onnx.engine.sqlite"
report kernels "$engines/kernels"
"$planex" explain kernels "$engines/kernels" --format json </dev/null >"$out/kernels.explain.json"
for topic in speed precision reformats; do
  "$planex" explain "$topic" "$(real resnet18-a100-qat)" --format json </dev/null \
    >"$out/single.$topic.json"
done
# Names of layers and nothing else; no device, and the same with one that is named; a CPU; no times.
mkdir -p "$engines/names"
printf '{"Layers": ["Conv-1 + ReLU-2", "MaxPool-3", "MatMul-9"], "Bindings": ["x", "y"]}\n' \
  >"$engines/names/names.graph.json"
report names "$engines/names"
report sweep tests/data/sweep
report optimize tests/data/optimize
report no-device "$(real controlnet-a10-trt8.6)"
report held "$(real controlnet-a10-trt8.6)" --device A10
report quantized-cpu "$(real openvino2026.4-resnet18-qdq-naive-b8)"
report rtx "$(real rtx1.7-resnet18-qdq-naive)"
report no-times "$(real rtx1.7-transformer12-fp16)"
report names-only "$(real mnist-trt8.6.0-names-only)"
# Without the log that tells more.
mkdir -p "$engines/bare"
cp "$(real mnist-trt8.6.0-names-only)/modelInformation.log" "$engines/bare/"
report bare "$engines/bare"
# Thousands of findings.
mkdir -p "$engines/many"
python tests/support/repeat_engine.py examples/engines/resnet18-a100-qat/*.graph.json \
  examples/engines/resnet18-a100-qat/*.profile.json 100 "$engines/many/many"
report many "$engines/many"
report large "$engines/large"
report huge "$engines/huge"
report hostile "$engines/hostile"
report hostile-engine-pair "$engines/hostile" "$engines/hostile"

# What the page can do with the core, where the program has it.
"$planex" report "$(real resnet18-a100-qat)" -o "$out/carried.html" </dev/null

# Every engine that tests take (tests/chosen_engines.txt). A folder that holds none, or a build that
# failed, is no report.
rm -rf "$out/every"
mkdir -p "$out/every"
for folder in "$data"/engines*/*/ examples/engines/*/; do
  name="$(basename "$folder")"
  if [[ ${PLANEX_TEST_ENGINES:-} != all && $folder == "$data"/* ]] &&
    ! grep -qxF -- "$name" tests/chosen_engines.txt; then continue; fi
  "$planex" report --light "$folder" -o "$out/every/$name.html" </dev/null 2>/dev/null || true
done
