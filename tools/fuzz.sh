#!/usr/bin/env bash
# Fuzzes: tools/fuzz.sh [SECONDS [TARGET]...]
#
# Builds the asan preset and runs each target, or those named, for SECONDS (default 60), as many at
# a time as PLANEX_FUZZ_JOBS says (default 1). Starts from fuzz/corpus and from what runs before
# this one found, which is kept in build/fuzz-corpus; tools/fuzz_corpus.py takes the best of it into
# fuzz/corpus. An input that crashes, hangs or is slow fails the run: it is kept, and the last lines
# say how to try it again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seconds="${1:-60}"
program=build/asan/fuzz/planex_fuzz
if [[ ! $seconds =~ ^[0-9]+$ ]]; then
  sed -n '2,/^set -euo/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}" >&2
  exit 2
fi

# Sanitizers and a busy machine make reading some 50 times slower than for users: seconds here are
# quadratic behaviour there. An input may be as long as this where its corpus has none longer.
SLOW_SECONDS=5
HANG_SECONDS=10
MOST_BYTES=20000
MOST_MEGABYTES=2048

tools/build.sh asan
mapfile -t targets < <("$program" --list)
if (($# > 1)); then targets=("${@:2}"); fi

out=build/fuzz-corpus
mkdir -p "$out/logs" "$out/artifacts"

# The log is shown only where something was found.
fuzz() {
  local target="$1" log="$out/logs/$1.log" dictionary="$out/logs/$1.dict"
  mkdir -p "$out/$target" "fuzz/corpus/$target"
  tools/fuzz_dict.py "$target" >"$dictionary"
  if "$program" "--target=$target" -max_total_time="$seconds" -timeout="$HANG_SECONDS" \
    -report_slow_units="$SLOW_SECONDS" -rss_limit_mb="$MOST_MEGABYTES" -max_len="$MOST_BYTES" \
    -dict="$dictionary" -print_final_stats=1 -artifact_prefix="$out/artifacts/$target-" \
    "$out/$target" "fuzz/corpus/$target" >"$log" 2>&1 &&
    ! grep -q '^SUMMARY: \|artifact_prefix=' "$log"; then
    printf '%-22s %s s: %s inputs, nothing found\n' "$target" "$seconds" \
      "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
    return
  fi
  printf '%s: FOUND SOMETHING\n' "$target"
  tail -n 60 "$log"
  sed -n "s|.*Test unit written to |try it again: $program --target=$target |p" "$log"
  return 1
}

failed=()
running=()
collect() { # the oldest
  local target="${running[0]%%=*}" process="${running[0]#*=}"
  running=("${running[@]:1}")
  wait "$process" || failed+=("$target")
}
for target in "${targets[@]}"; do
  fuzz "$target" &
  running+=("$target=$!")
  if ((${#running[@]} >= ${PLANEX_FUZZ_JOBS:-1})); then collect; fi
done
while ((${#running[@]} > 0)); do collect; done

if ((${#failed[@]} > 0)); then
  printf 'fuzz: found something in %s\n' "${failed[*]}"
  exit 1
fi
printf 'fuzz: nothing found in %s targets, %s s each\n' "${#targets[@]}" "$seconds"
