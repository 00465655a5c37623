// Sentences in lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace planex::render {

// Words of printable text (escape codes of colour allowed) in lines of at most `width` cells, each
// indented, each ended. Width 0 makes one line. A word longer than a line gets one of its own; a
// number keeps its unit.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

// The same, with the first line starting `hang` cells further left than the others.
std::string wrapped_hanging(std::string_view text, std::size_t width, std::size_t indent,
                            std::size_t hang);

// Cells that a line takes, escape codes of colour aside.
std::size_t visible_width(std::string_view line);

}  // namespace planex::render
