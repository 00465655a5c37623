// planex.layout/1: where everything of a drawing lies, and what it stands for.
// `planex schema layout` says what is in it.
#pragma once

#include "planex/error.h"
#include "render/words/document_sink.h"
#include "render/drawing/picture.h"

namespace planex::render {

// One box, edge or frame a line. Same picture, same bytes. Errors: those of `sink`.
Result<void> write_layout(const Picture& picture, const DocumentSink& sink);

}  // namespace planex::render
