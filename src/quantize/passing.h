// Over which operations pairs may be moved, and which of them want a pair before them, by target.
#pragma once

#include <span>
#include <string_view>

#include "quantize/placement_rules.h"

namespace planex::quantize {

// They give the values that they got.
std::span<const std::string_view> moving_operators();
// Those of them that a pair may be moved over: rule pool-after-pair.
std::span<const std::string_view> passable(Target target);
// A pair stays behind it, too: the target moves none over it by itself.
bool needs_both_sides(Target target, std::string_view op);
// Averages that are faster on 8 bits: rule average-pool-pair.
std::span<const std::string_view> averages(Target target);

}  // namespace planex::quantize
