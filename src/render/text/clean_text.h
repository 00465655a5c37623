// How a model was simplified, for the terminal.
#pragma once

#include <string>

#include "clean/outcome.h"
#include "render/text/table_text.h"

namespace planex::render {

// `shows_all`: each place, not the number of them.
std::string clean_text(const clean::CleanOutcome& outcome, bool shows_all, const TableStyle& style);

}  // namespace planex::render
