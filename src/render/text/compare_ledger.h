// Operations of the source model side by side, for the terminal.
#pragma once

#include <string>

#include "render/text/compare_text.h"

namespace planex::render {

// One line per operation, the sum last. Without `all`: those that take longest or, for two engines,
// changed most.
std::string ledger_text(const analyze::Comparison& comparison, const CompareTextOptions& options,
                        const TableStyle& style);

}  // namespace planex::render
