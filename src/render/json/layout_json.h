// planex.layout/1: the positions of everything in a drawing, and what it represents. `planex schema
// layout` says what it contains.
#pragma once

#include "planex/error.h"
#include "render/drawing/picture.h"
#include "render/words/document_sink.h"

namespace planex::render {

// One box, edge or frame per line. Same picture, same bytes. Errors: those of `sink`.
Result<void> write_layout(const Picture& picture, const DocumentSink& sink);

}  // namespace planex::render
