// A slow change of the level over a whole series.
#pragma once

#include <span>

namespace planex::analyze {

struct Trend {
  // Per unit of `at`: the median of the slopes between all pairs (Theil 1950, Sen 1968).
  double slope = 0;
  // Two-sided p-value of the Mann–Kendall test with the correction of Hamed & Rao (1998) for series
  // with memory: how likely such an order is without a trend.
  double p_value = 1;
};

// Shapes: at[n] ascending, values[n]; n ≥ 4. Cost: O(n²), so use medians of blocks, not samples.
Trend find_trend(std::span<const double> at, std::span<const double> values);

}  // namespace planex::analyze
