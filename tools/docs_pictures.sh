#!/usr/bin/env bash
# Takes the pictures of the documents: real reports of the example engines, in Chromium.
#
# Not part of the checks, since fonts differ from machine to machine: run it when the page changes
# its looks. CHROMIUM names the browser.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

planex="$(realpath -- "${PLANEX_BIN:-build/release/planex}")"
chromium="${CHROMIUM:-chromium}"
out="$PWD/docs/pictures"
work="$PWD/build/docs/pictures"
rm -rf "$work"
mkdir -p "$out" "$work"

cd examples/engines
"$planex" report resnet18-a100-qat -o "$work/qat.html" </dev/null 2>/dev/null
"$planex" report resnet18-a100-qat{,-residual} -o "$work/a100.html" </dev/null 2>/dev/null

# shot NAME PAGE LINK THEME: 1440 pixels wide; the page says what it shows behind the # of its
# address.
shot() {
  local name="$1" page="$2" link="$3" theme="$4" dark=()
  if [[ $theme == dark ]]; then dark=(--blink-settings=preferredColorScheme=0); fi
  # A window that Chromium opens as root has no sandbox; the page is our own.
  "$chromium" --headless --no-sandbox --disable-gpu --hide-scrollbars "${dark[@]}" \
    --user-data-dir="$work/profile" --window-size=1440,900 --virtual-time-budget=4000 \
    --screenshot="$work/$name.png" "file://$work/$page.html#$link" >"$work/$name.log" 2>&1
  [[ -s $work/$name.png ]] || {
    cat "$work/$name.log" >&2
    exit 1
  }
  cp "$work/$name.png" "$out/$name.png"
  printf '%s\n' "docs/pictures/$name.png"
}

shot report-overview-light qat "" light
shot report-layers-light a100 "v=layers&sel=3" light
