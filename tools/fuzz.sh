#!/usr/bin/env bash
# Builds the fuzz preset and runs every fuzz target for a while: tools/fuzz.sh [SECONDS] [NAME]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seconds="${1:-60}"
only="${2:-}"
tools/build.sh fuzz

mapfile -d '' -t programs < <(find build/fuzz -type f -executable -name '*_fuzz*' -print0 | sort -z)
for program in "${programs[@]}"; do
  name="$(basename "$program")"
  [[ -z $only || $name == "$only" ]] || continue
  # What is found is kept in the build folder; what is worth keeping is moved to fuzz/ by hand.
  mkdir -p "build/fuzz-corpus/$name"
  seeds=()
  for folder in "fuzz/corpus/$name" "build/fuzz/fuzz-seeds/$name"; do
    if [[ -d $folder ]]; then seeds+=("$folder"); fi
  done
  printf '\n--- %s, %s s\n' "$name" "$seconds"
  "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="build/fuzz-corpus/$name-" "build/fuzz-corpus/$name" "${seeds[@]}"
done
