// How a model was quantized, for the terminal.
#ifndef PLANEX_RENDER_TEXT_QUANTIZE_TEXT_H_
#define PLANEX_RENDER_TEXT_QUANTIZE_TEXT_H_

#include <string>

#include "quantize/outcome.h"
#include "render/text/table_text.h"

namespace planex::render {

std::string quantize_text(const quantize::Outcome& outcome, const TableStyle& style);

}  // namespace planex::render

#endif  // PLANEX_RENDER_TEXT_QUANTIZE_TEXT_H_
