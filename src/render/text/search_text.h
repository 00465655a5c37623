// Which layers of a quantized model stay in float, for the terminal.
#pragma once

#include <string>

#include "quantize/search_outcome.h"
#include "render/text/table_text.h"

namespace planex::render {

std::string search_text(const quantize::SearchOutcome& outcome, const TableStyle& style);

}  // namespace planex::render
