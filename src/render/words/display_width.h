// Text in a terminal: how many cells it takes, and how to make text from a file harmless.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/printable.h"

namespace planex::render {

using base::printable;

// Cells that printable text takes: wide characters two, combining ones none. Sequences that newer
// terminals join to one emoji count as their parts, so a line may end early but never too late.
std::size_t display_width(std::string_view text);

// Takes out the middle of printable text that is wider than `width` cells; the start gets 55 % and
// the end 45 % of what is left. Characters with their accents stay whole.
std::string elide_middle(std::string_view text, std::size_t width);

// Takes out the end instead, for sentences.
std::string elide_end(std::string_view text, std::size_t width);

// Adds blanks up to `width` cells.
std::string padded_left(std::string_view text, std::size_t width);

}  // namespace planex::render
