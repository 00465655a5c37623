// What Python shows of layers instead of printing them: a text in quotes with its line ends as \n,
// as a prompt, a list or a logger's %r shows it; dicts and lists in Python's own writing; and what
// Torch-TensorRT's logger puts before a message.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace planex::ingest {

// The same text with JSON in place of what Python wrote of layers; nothing where there is none of
// it. Lines around it stay. One that has no end is turned up to where it ends.
// Decided by the first 64 KiB. Cost: O(size).
std::optional<std::string> from_python(std::string_view text);

}  // namespace planex::ingest
