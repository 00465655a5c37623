// Text that came from a file, made harmless for a terminal: the one place that says which
// characters may reach it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace planex::base {

// Whether a character can be seen where it stands. Controls (C0, C1, DEL) can't, nor what changes
// the direction, ends a line or has no width; the joiners can, which belong to scripts and emoji.
// Negative: a byte that is part of no character.
bool is_printable(std::int32_t code_point);

// Text as it may be printed: what is not printable becomes a visible escape: \n, \x1b, \u202e. The
// result is valid UTF-8 on one line. Cost: O(length).
std::string printable(std::string_view text);

// The same for a whole document, whose lines and colors (ESC [ … m) stay: the last line of defense,
// for what a renderer forgot. A document without such characters comes back as it is.
std::string printable_document(std::string document);

}  // namespace planex::base
