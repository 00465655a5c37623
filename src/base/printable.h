// Text from a file, made harmless for a terminal: the one place that decides which characters may
// reach it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace planex::base {

// Whether a character is visible. Controls (C0, C1, DEL) are not, nor are characters that change
// the direction, end a line or have no width; the joiners, which belong to scripts and emoji, count
// as visible. Negative: a byte that is not part of a character.
bool is_printable(std::int32_t code_point);

// Text in printable form: unprintable characters become visible escapes: \n, \x1b, \u202e. The
// result is valid UTF-8 on one line. Cost: O(length).
std::string printable(std::string_view text);

// The same for a whole document, whose lines and colors (ESC [ … m) stay: the last line of defense,
// for what a renderer missed. A document without such characters is returned unchanged.
std::string printable_document(std::string document);

}  // namespace planex::base
