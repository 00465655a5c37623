#!/usr/bin/env bash
# Writes what the program says of itself as files to install: tools/install_texts.sh PROGRAM FOLDER
#
# FOLDER/man/planex.1 and a page for each verb; FOLDER/completions/ for bash, zsh and fish.
set -euo pipefail

if (($# != 2)); then
  printf 'usage: tools/install_texts.sh PROGRAM FOLDER\n' >&2
  exit 2
fi
program="$(realpath -- "$1")"
folder="$2"

mkdir -p "$folder"/{man,completions}
"$program" completion bash >"$folder/completions/planex"
"$program" completion zsh >"$folder/completions/_planex"
"$program" completion fish >"$folder/completions/planex.fish"
"$program" man >"$folder/man/planex.1"
# The verbs, as completion knows them.
sed -n 's/.*-n __fish_use_subcommand -a \([a-z]*\) .*/\1/p' "$folder/completions/planex.fish" |
  while read -r verb; do
    "$program" man "$verb" >"$folder/man/planex-$verb.1"
  done
