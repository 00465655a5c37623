// How a model was quantized, for the terminal.
#pragma once

#include <string>

#include "quantize/outcome.h"
#include "render/text/table_text.h"

namespace planex::render {

std::string quantize_text(const quantize::Outcome& outcome, const TableStyle& style);

}  // namespace planex::render
