// A picture as one SVG file: no scripts, no external content, every text as text.
#pragma once

#include <string>

#include "planex/error.h"
#include "render/drawing/picture.h"
#include "render/words/document_sink.h"

namespace planex::render {

// Written piece by piece, as a large drawing has some kilobytes per box.
//  Ids: those of the boxes (layer-6), edge-N, frame-N. If a name was shortened, the whole one is
// behind it in no colour, because browsers search what is drawn but not titles. Same picture, same
// bytes. Errors: those of `sink`.
Result<void> write_svg(const Picture& picture, const DocumentSink& sink);

// The one style sheet of a drawing.
std::string style_sheet(const Picture& picture);

}  // namespace planex::render
