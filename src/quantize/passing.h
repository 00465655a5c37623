// Over which operations pairs may be moved, and which of them need a pair before them, by target.
#pragma once

#include <span>
#include <string_view>

#include "quantize/placement_rules.h"

namespace planex::quantize {

// They output the values that they read.
std::span<const std::string_view> moving_operators();
// Those of them that a pair may be moved over: rule pool-after-pair.
std::span<const std::string_view> passable(Target target);
// A pair also stays after it: the target moves none over it by itself.
bool needs_both_sides(Target target, std::string_view op);
// Averages that are faster on 8 bits: rule average-pool-pair.
std::span<const std::string_view> averages(Target target);

}  // namespace planex::quantize
