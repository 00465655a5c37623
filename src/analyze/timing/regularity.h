// Whether events come at regular intervals.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace planex::analyze {

struct Regularity {
  double period = 0;
  // Share of all intervals that are the period, or two or three times it, within the tolerance.
  double hit_ratio = 0;
  // Maximum distance of hits from the period, as a ratio: 0.02 to 0.2.
  double tolerance = 0;
  // Probability of this many hits for random events (a Poisson process).
  double p_value = 1;
};

// The period is the median interval; hits are tested against chance by a binomial test. Null where
// there are fewer than kMinEvents or they are not regular. Shapes: at[n] ascending. Cost: O(n log
// n).
inline constexpr std::size_t kMinEvents = 5;
std::optional<Regularity> find_regularity(std::span<const double> at);

}  // namespace planex::analyze
