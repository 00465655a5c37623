// Names short enough to draw, by stated rules: ".weight" and running numbers drop, as do later
// members that only quantize or repeat what the first says; a copy says what it copies. Within an
// engine, a beginning that nearly all names share drops, too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::render {

// Names longer than 2 000 bytes stay as they are.
std::string short_name(std::string_view name);

// One for each record of `layers`, unique within the engine: where two would be the same, both stay
// whole. Cost: O(bytes of the names).
std::vector<std::string> short_names(const model::PlanModel& model);

}  // namespace planex::render
