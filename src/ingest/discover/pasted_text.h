// What stands around a text that people copied from somewhere else: Markdown's fences and quote
// marks of a tracker, the times that containers and CI print before each line.
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

// Whether a file is lines of text, and not JSON, XML or bytes. By its first 64 KiB.
bool is_lines_of_text(std::string_view text);

// The same text without what stands around it; nothing where there is nothing, or where it is no
// lines of text. Decided by the first 64 KiB. What is left out leaves an empty line, so that lines
// keep their numbers. Where Markdown has one block of JSON, XML or counters, that block is all that
// is left.
//   quote marks         "> [I] x", once or more
//   fences              ```, ```text, ~~~
//   indentation         of lines of a logger
//   times               "2024-05-24T14:43:21.123Z x" of docker, kubectl, GitHub, GitLab and Jenkins
//   names               "app-1  | x" of docker compose, "[pod/a/b] x" of kubectl, journald's
//   anything            before "[05/24/2024-14:43:21] [I] ", if most lines of trtexec have it
// Cost: O(size); O(64 KiB) where there is nothing.
std::optional<Unwrapped> unwrap(std::string_view text);

}  // namespace planex::ingest
