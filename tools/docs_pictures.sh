#!/usr/bin/env bash
# Makes the pictures of the documents: drawings of real engines, and real reports of the example
# engines in Chromium.
#
# Not part of the checks, since fonts differ from machine to machine: run it when drawings or the page
# change their looks. CHROMIUM names the browser; the engines that are drawn come from
# PLANEX_TEST_DATA (default ../shared/data).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/env.sh
. tools/env.sh

planex="$(realpath -- "${PLANEX_BIN:-build/release/planex}")"
CHROMIUM="$(command -v "${CHROMIUM:-chromium}")"
export CHROMIUM
out="$PWD/docs/pictures"
work="$PWD/build/docs/pictures"
engines="$(realpath -m -- "${PLANEX_TEST_DATA:-../shared/data}")/engines"
rm -rf "$work"
mkdir -p "$out" "$work"

cd examples/engines
"$planex" report resnet18-a100-qat -o "$work/qat.html" </dev/null 2>/dev/null
"$planex" report resnet18-a100-qat{,-residual} -o "$work/a100.html" </dev/null 2>/dev/null

"$planex" report ../../tests/data/sweep -o "$work/sweep.html" </dev/null 2>/dev/null
"$planex" report ../../tests/data/optimize --probe -o "$work/optimize.html" </dev/null 2>/dev/null

# shot NAME PAGE LINK THEME: the page says what it shows behind the # of its address.
shot() {
  local name="$1" page="$2" link="$3" theme="$4"
  node ../../tools/page_picture.mjs "file://$work/$page.html#$link" "$out/$name.png" "$theme"
  printf '%s\n' "docs/pictures/$name.png"
}

shot report-overview-light qat "" light
shot report-layers-light a100 "v=layers&sel=3" light
shot report-graph-light qat "v=graph&sel=6" light
shot report-graph-dark qat "v=graph&sel=6" dark
shot report-timing-light qat "v=timing" light
shot report-memory-light qat "v=memory" light
shot report-precision-light qat "v=precision" light
shot report-work-light qat "v=work" light
# The finding about layer 6, as links name it.
finding="$("$planex" lint resnet18-a100-qat --format json </dev/null 2>/dev/null | python -c '
import json, sys
print(next(f["fingerprint"] for f in json.load(sys.stdin)["findings"]
           if f["rule"] == "int8-conv-writes-float" and f["layer_id"] == 6))' || true)"
shot report-findings-dark qat \
  "v=findings&findings.rule=int8-conv-writes-float&findings.at=$finding" dark
shot report-compare-light a100 "v=compare" light
shot report-sweep-light sweep "v=sweep" light
shot report-optimize-light optimize "v=optimize" light

# drawing NAME ENGINE [OPTION...]
drawing() {
  local name="$1" engine="$2"
  if [[ ! -d $engines/$engine ]]; then
    printf 'docs_pictures: no %s in %s; left as it is: %s\n' "$engine" "$engines" "$name.svg" >&2
    return
  fi
  "$planex" draw "$engines/$engine" --theme light -o "$out/$name.svg" "${@:3}" </dev/null
  printf '%s\n' "docs/pictures/$name.svg"
}

for build in fp32 fp16 qat qat-residual qat-residual-qgap; do
  drawing "drawing-resnet18-$build" "resnet18-a100-$build"
done
drawing drawing-controlnet controlnet-a10-trt8.6 --boxes 60
drawing drawing-depth-anything depth-anything-v2-rtx30-trt10 --depth 2
"$planex" draw resnet18-a100-qat --theme print --scale 1.5 -o "$out/drawing-print.png" \
  --group layer1 </dev/null
printf '%s\n' docs/pictures/drawing-print.png
