#include "render/drawing/line_width.h"

namespace planex::render {

Face face_of(TextInk ink) {
  return ink == TextInk::kBold || ink == TextInk::kWarning ? Face::kBold : Face::kRegular;
}

double line_width(const Line& line, double size_px) {
  double width = 0;
  for (const Run& run : line) {
    if (run.square != 0) width += text_width("■ ", Face::kRegular, size_px);
    width += text_width(run.text, face_of(run.ink), size_px);
  }
  return width;
}

}  // namespace planex::render
