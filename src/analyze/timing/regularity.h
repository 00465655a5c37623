// Whether events come at regular intervals.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace planex::analyze {

struct Regularity {
  double period = 0;
  // Intervals that are the period, or two or three times it, within the tolerance, of all.
  double hit_ratio = 0;
  // How far hits are from the period, as a ratio: 0.02 to 0.2.
  double tolerance = 0;
  // How likely so many hits are for events that come by chance (a Poisson process).
  double p_value = 1;
};

// The period is the median interval; every interval that is not what chance gives counts, by a
// binomial test. Null where there are fewer than kMinEvents or they are not regular.
// Shapes: at[n] ascending. Cost: O(n log n).
inline constexpr std::size_t kMinEvents = 5;
std::optional<Regularity> find_regularity(std::span<const double> at);

}  // namespace planex::analyze
