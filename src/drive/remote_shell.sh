{
# Runs the lines that planex sends, one by one; after each it prints the mark and the exit code, to
# stderr as well, which may arrive later than stdout. All of this is one command: the shell reads it
# to its end before it runs any of it, so whatever follows on stdin is for `read`.
planex_folder=
planex_group=
exec 3<&0
planex_end() {
  if [ -n "$planex_group" ]; then
    kill -s TERM -- "$planex_group"
    sleep 1
    kill -s KILL -- "$planex_group"
  fi 2>/dev/null
  [ -z "$planex_folder" ] || rm -rf "$planex_folder"
  planex_folder=
}
planex_mark() {
  printf '\n%s %s\n' "$PLANEX_MARK" "$1" >&2
  printf '\n%s %s\n' "$PLANEX_MARK" "$1"
}
planex_folder() {
  planex_folder=$(mktemp -d "${TMPDIR:-/tmp}/planex-XXXXXXXX") && printf '%s' "$planex_folder"
}
# Reads $1 bytes from stdin into the file $2. Bytes that could not be written would be taken for
# lines.
planex_put() {
  head -c "$1" >"$2" && [ "$(wc -c <"$2")" -eq "$1" ] && return
  planex_end
  exit 1
}
# Runs a program in a process group of its own. When stdin ends or brings a line, the group is
# killed.
planex_run() {
  if command -v setsid >/dev/null 2>&1; then
    (trap - PIPE; exec setsid "$@") </dev/null 3<&- &
    planex_child=$!
    planex_group=-$planex_child
  else
    (trap - PIPE; exec "$@") </dev/null 3<&- &
    planex_child=$!
    planex_group=$planex_child
  fi
  {
    read -r planex_word <&3
    kill -s TERM -- "$planex_group"
    sleep 2
    kill -s KILL -- "$planex_group"
  } >/dev/null 2>&1 &
  planex_watcher=$!
  wait "$planex_child" 2>/dev/null
  planex_code=$?
  kill -s KILL "$planex_watcher" 2>/dev/null
  wait "$planex_watcher" 2>/dev/null
  kill -s KILL -- "$planex_group" 2>/dev/null
  planex_group=
  return "$planex_code"
}
trap '' PIPE
trap 'planex_end; exit 143' HUP INT TERM
planex_mark 0
while IFS= read -r planex_line; do
  eval "$planex_line"
  planex_mark "$?"
done
planex_end
exit
}
