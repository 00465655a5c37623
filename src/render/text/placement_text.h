// Rules of the placement of Q/DQ, for the terminal and as a page.
#pragma once

#include <string>

#include "render/fields/placement.h"
#include "render/text/table_text.h"

namespace planex::render {

// One line for each rule; of a single one all that is known.
std::string placement_rules_text(const PlacementRules& rules, const TableStyle& style);

// All of each; the whole list is docs/reference/placement.md.
std::string placement_rules_markdown(const PlacementRules& rules);

}  // namespace planex::render
