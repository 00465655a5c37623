// The step of the timer that a series was taken with.
#pragma once

#include <optional>
#include <span>

namespace planex::analyze {

// The distance between neighbouring values, where values repeat and nearly all lie a whole number
// of these distances apart. Two values alone could as well be two modes: they are a timer's where
// they are multiples of their distance, too. Null where there is one value only, or no grid.
// Shapes: sorted[n] ascending, positive; n ≥ 1. Cost: O(n).
std::optional<double> timer_step(std::span<const double> sorted);

// Moves each value by up to half a step, evenly over all places of it: a timer rounds to one value
// what lay anywhere around it, and medians and deviations of the rounded values jump by whole
// steps. The same values give the same places. Cost: O(n).
void spread_steps(std::span<double> values, double step);

}  // namespace planex::analyze
