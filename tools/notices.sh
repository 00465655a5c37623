#!/usr/bin/env bash
# Copies the notices of all that is linked into what is passed on, as Debian has them:
# tools/notices.sh FOLDER
set -euo pipefail
folder="$(realpath -m -- "${1:?tools/notices.sh FOLDER}")"
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p "$folder"
tools/sbom.py --packages | while read -r package; do
  cp -L "/usr/share/doc/$package/copyright" "$folder/$package.txt"
done
