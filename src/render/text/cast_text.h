// How a model was cast, for the terminal.
#pragma once

#include <string>

#include "quantize/cast_outcome.h"
#include "render/text/table_text.h"

namespace planex::render {

// `shows_all`: each node that stays in float, not the first of each rule.
std::string cast_text(const quantize::CastOutcome& outcome, bool shows_all,
                      const TableStyle& style);

}  // namespace planex::render
