// `planex sweep` for the terminal.
#pragma once

#include <string>

#include "analyze/sweep.h"
#include "render/text/table_text.h"

namespace planex::render {

// A line about the whole sweep, a row for each cell, conclusions, cliffs with their layers, what
// builds left to chance, and why cells failed.
std::string sweep_text(const analyze::Sweep& sweep, const TableStyle& style);

}  // namespace planex::render
