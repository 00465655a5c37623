// The screen of `planex optimize`.
#pragma once

#include <string>

#include "analyze/optimize/outcome.h"
#include "render/text/table_text.h"

namespace planex::render {

std::string optimize_text(const analyze::OptimizeOutcome& outcome, const TableStyle& style);

}  // namespace planex::render
