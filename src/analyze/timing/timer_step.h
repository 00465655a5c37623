// The step of the timer that measured a series.
#pragma once

#include <optional>
#include <span>

namespace planex::analyze {

// The distance between neighbouring values, where values repeat and nearly all are a whole number
// of these distances apart. Two values alone could also be two modes: they come from a timer if
// they are also multiples of their distance. Null where there is only one value, or no grid.
// Shapes: sorted[n] ascending, positive; n ≥ 1. Cost: O(n).
std::optional<double> timer_step(std::span<const double> sorted);

// Moves each value by up to half a step, spread evenly: a timer rounds everything around a value to
// that value, and medians and deviations of rounded values jump by whole steps. Deterministic: the
// same values get the same shifts. Cost: O(n).
void spread_steps(std::span<double> values, double step);

}  // namespace planex::analyze
