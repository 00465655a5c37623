#!/usr/bin/env bash
# Adds a view to the report, from the skeleton: tools/new_view.sh ID TITLE
#
# Writes web/src/views/ID/index.ts, which works as it is, and the line in web/src/views/order.ts.
set -euo pipefail

if (($# != 2)) || [[ ! $1 =~ ^[a-z][a-z-]*$ ]]; then
  printf 'usage: tools/new_view.sh ID TITLE\nID: small letters, as in links (?v=ID)\n' >&2
  exit 2
fi
id="$1" title="$2"
# Of the tree in which the script lies.
cd "$(dirname "${BASH_SOURCE[0]}")/.."
views=web/src/views
if [[ -e $views/$id ]]; then
  printf 'new_view: there is %s already\n' "$views/$id" >&2
  exit 1
fi
mkdir "$views/$id"
# "SkeletonView" → "BankConflictsView" for "bank-conflicts".
class="$(sed -E 's/(^|-)([a-z])/\U\2/g' <<<"$id")"
# As sed wants it in a replacement; first, for the code, as a string in quotes.
replacement() { sed 's/[\\&/]/\\&/g' <<<"$1"; }
in_comment="$(replacement "$title")"
in_code="$(replacement "$(sed "s/[\\']/\\\\&/g" <<<"$title")")"
sed -e "s/title: 'Skeleton'/title: '$in_code'/" -e "s/^\/\/ Skeleton:/\/\/ $in_comment:/" \
  -e "s/Skeleton/$class/g" -e "s/skeleton/$id/g" web/skeleton/index.ts >"$views/$id/index.ts"
sed -i "s/^  'files',\$/  '$id',\n&/" "$views/order.ts"
printf '%s\n' "$views/$id/index.ts"
