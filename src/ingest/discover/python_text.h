// Layers in Python's representation instead of as printed text: a quoted string with its line ends
// as \n, as shown by a prompt, a list or a logger's %r; dicts and lists in Python syntax; and the
// prefix of Torch-TensorRT's logger.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace planex::ingest {

// The same text with JSON in place of Python's representation of layers; nothing if there is none.
// Lines around it stay. If one does not end, it is converted as far as it goes.
// Decided by the first 64 KiB. Cost: O(size).
std::optional<std::string> from_python(std::string_view text);

}  // namespace planex::ingest
