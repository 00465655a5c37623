// Text in a terminal: how many cells it takes, and how to make text from a file harmless.
#ifndef PLANEX_RENDER_TEXT_DISPLAY_WIDTH_H_
#define PLANEX_RENDER_TEXT_DISPLAY_WIDTH_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace planex::render {

// Text as it may be printed: control characters (so also terminal escape codes), characters that
// change the direction or can't be seen, and bytes that are no UTF-8 become visible escapes: \n,
// \x1b, \u202e. The result is valid UTF-8 on one line. Cost: O(length).
std::string printable(std::string_view text);

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
std::string padded_right(std::string_view text, std::size_t width);

}  // namespace planex::render

#endif  // PLANEX_RENDER_TEXT_DISPLAY_WIDTH_H_
