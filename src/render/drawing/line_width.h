// How wide the words of a picture are, in the face in which they are drawn.
#pragma once

#include "render/drawing/picture.h"
#include "render/font/text_width.h"

namespace planex::render {

// Warnings are bold as well: no meaning is shown by colour alone.
Face face_of(TextInk ink);

// Pixels that a line takes at this size, with the squares before its runs.
double line_width(const Line& line, double size_px);

}  // namespace planex::render
