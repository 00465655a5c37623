// A picture as one SVG file: no scripts, nothing from elsewhere, every text as text.
#pragma once

#include <string>

#include "planex/error.h"
#include "render/words/document_sink.h"
#include "render/drawing/picture.h"

namespace planex::render {

// Written piece by piece, as a large drawing has some kilobytes a box.
//
// Ids: those of the boxes (layer-6), edge-N, frame-N. Where a name was shortened, the whole one
// stands behind it in no colour, as browsers search what is drawn but not what is a title.
// Same picture, same bytes. Errors: those of `sink`.
Result<void> write_svg(const Picture& picture, const DocumentSink& sink);

// The one style sheet of a drawing.
std::string style_sheet(const Picture& picture);

}  // namespace planex::render
