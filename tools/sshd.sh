#!/usr/bin/env bash
# An sshd for the tests, which is not installed: a package of it would open a port of the machine.
#
#   tools/sshd.sh FOLDER     prints the program's path; what already exists is taken
set -euo pipefail
folder="${1:?tools/sshd.sh FOLDER}"
program="$(command -v sshd || true)"
[[ -n $program || ! -x /usr/sbin/sshd ]] || program=/usr/sbin/sshd
if [[ -z $program ]]; then
  program="$folder/usr/sbin/sshd"
  if [[ ! -x $program ]]; then
    mkdir -p "$folder"
    (cd "$folder" && apt-get download -q openssh-server >/dev/null 2>&1)
    dpkg -x "$folder"/openssh-server_*.deb "$folder"
  fi
fi
printf '%s\n' "$program"
