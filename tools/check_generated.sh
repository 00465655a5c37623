#!/usr/bin/env bash
# Checks that the generated pages say what the program says; --update writes them anew.
#
# What is generated is the table below: a file and the arguments of planex that print it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

update=no
case "${1:-}" in
  "") ;;
  --update) update=yes ;;
  *)
    printf 'usage: tools/check_generated.sh [--update]\n' >&2
    exit 2
    ;;
esac

planex=build/release/planex
[[ -x $planex ]] || tools/build.sh release

status=0
while read -r file arguments; do
  [[ -n $file && $file != \#* ]] || continue
  fresh="$(mktemp)"
  # Arguments have no spaces of their own, so splitting at spaces is what is wanted.
  # shellcheck disable=SC2086
  if ! "$planex" $arguments >"$fresh" </dev/null; then
    printf '%s:1: "planex %s" failed\n' "$file" "$arguments" >&2
    status=1
  elif [[ $update == yes ]]; then
    mkdir -p "$(dirname "$file")"
    # Not moved: a temporary file is private, a page is readable by all.
    cmp -s "$fresh" "$file" || cp "$fresh" "$file"
    chmod 644 "$file"
  elif ! diff -u --label "$file" --label "planex $arguments" "$file" "$fresh" >&2; then
    printf '%s:1: is out of date; run tools/check_generated.sh --update\n' "$file" >&2
    status=1
  fi
  rm -f "$fresh"
done <<'TABLE'
docs/reference/schema.md  schema --format markdown
TABLE
exit "$status"
