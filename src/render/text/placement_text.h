// Rules of the placement of Q/DQ, for the terminal and as a page.
#pragma once

#include <string>

#include "render/fields/placement.h"
#include "render/text/table_text.h"

namespace planex::render {

// One line per rule; for a single rule, everything that is known.
std::string placement_rules_text(const PlacementRules& rules, const TableStyle& style);

// Everything about each rule; the whole list is docs/reference/placement.md.
std::string placement_rules_markdown(const PlacementRules& rules);

}  // namespace planex::render
