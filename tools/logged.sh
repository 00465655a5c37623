# shellcheck shell=bash
# For scripts that source it:
#
#   logged LOG COMMAND...    runs the command in this shell, prints what it prints, and keeps that in LOG
#
# Returns what the command returns.
logged() {
  local log="$1" returned=0 both
  shift
  # Not a pipe: what a command exports is for those after it. A descriptor of this shell, since bash
  # tells the number of tee's process to the shell that made it alone.
  exec {both}> >(tee "$log")
  local tee_process=$!
  "$@" >&"$both" 2>&1 {both}>&- || returned=$?
  exec {both}>&-
  # What it left running may keep tee waiting.
  timeout 5 tail --pid="$tee_process" -f /dev/null || true
  return "$returned"
}
