// How wide text is, without a font on the machine: the advance widths of Liberation Sans (metrics
// of Arial, Helvetica), which the drawings ask for first. Other fonts of the list differ by a few
// percent; boxes leave that much room.
#pragma once

#include <string>
#include <string_view>

namespace planex::render {

enum class Face : unsigned char { kRegular, kBold };

// Pixels that a line of UTF-8 takes at this size. Characters that the font lacks count as one em if
// they are wide (CJK), otherwise as its widest letter; combining ones as nothing.
double text_width(std::string_view text, Face face, double size_px);

// One line of at most `width` pixels: 55 % head, an ellipsis, 45 % tail, because the tail of a
// fused layer's name tells it from its neighbours. Never cuts a character. A text of any length
// costs a constant time: it is cut at 2 000 bytes before it is measured.
std::string fitted(std::string_view text, double width, Face face, double size_px);

}  // namespace planex::render
