// Advice about a model's Q/DQ, for the terminal.
#pragma once

#include <string>

#include "quantize/advise_outcome.h"
#include "render/text/table_text.h"

namespace planex::render {

// `all`: every piece of advice with its layers, not only the first of each kind.
std::string advise_text(const quantize::AdviseOutcome& outcome, bool all, const TableStyle& style);

}  // namespace planex::render
