// Removes the surroundings of a text that was copied from somewhere else: Markdown fences and quote
// marks of an issue tracker, the timestamps that containers and CI print before each line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace planex::ingest {

struct Unwrapped {
  std::string text;
  // For people: "Markdown fences and times of a container".
  std::string what;
};

// Whether a file is lines of text rather than JSON, XML or binary. Decided by its first 64 KiB.
bool is_lines_of_text(std::string_view text);

// The same text without its surroundings; nothing if there are none, or if it is not lines of text.
// Decided by the first 64 KiB. Removed lines are left empty, so that lines keep their numbers. If
// Markdown contains one block of JSON, XML or counters, only that block is kept.
//   quote marks         "> [I] x", once or more
//   fences              ```, ```text, ~~~
//   indentation         of lines of a logger
//   times               "2024-05-24T14:43:21.123Z x" of docker, kubectl, GitHub, GitLab and Jenkins
//   names               "app-1  | x" of docker compose, "[pod/a/b] x" of kubectl, journald's
//   anything            before "[05/24/2024-14:43:21] [I] ", if most lines of trtexec have it
// Cost: O(size); O(64 KiB) if there is nothing to remove.
std::optional<Unwrapped> unwrap(std::string_view text);

}  // namespace planex::ingest
