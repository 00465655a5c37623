// planex.layout/1: where everything of a drawing lies, and what it stands for.
// `planex schema layout` says what is in it.
#ifndef PLANEX_RENDER_JSON_LAYOUT_JSON_H_
#define PLANEX_RENDER_JSON_LAYOUT_JSON_H_

#include "planex/error.h"
#include "render/document_sink.h"
#include "render/drawing/picture.h"

namespace planex::render {

// One box, edge or frame a line. Same picture, same bytes. Errors: those of `sink`.
Result<void> write_layout(const Picture& picture, const DocumentSink& sink);

}  // namespace planex::render

#endif  // PLANEX_RENDER_JSON_LAYOUT_JSON_H_
