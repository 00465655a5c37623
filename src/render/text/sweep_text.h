// `planex sweep` for the terminal.
#ifndef PLANEX_RENDER_TEXT_SWEEP_TEXT_H_
#define PLANEX_RENDER_TEXT_SWEEP_TEXT_H_

#include <string>

#include "analyze/sweep.h"
#include "render/text/table_text.h"

namespace planex::render {

// A line about the whole, a row for each cell, what follows, cliffs with their layers, what builds
// left to chance, and why cells failed.
std::string sweep_text(const analyze::Sweep& sweep, const TableStyle& style);

}  // namespace planex::render

#endif  // PLANEX_RENDER_TEXT_SWEEP_TEXT_H_
