// Medians of what was run several times, with intervals from how far runs of one thing lie apart.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyze/verdict/verdict.h"

namespace planex::analyze {

// Runs of one thing, those without a median left out.
using RepeatedRuns = std::vector<const MeasuredRun*>;

// The standard deviation of the logarithms of medians around the mean of their thing: that of a
// normal distribution common to all, s² = Σ (x − mean)² ÷ Σ (runs − 1).
struct RunSpread {
  std::optional<double> ratio;  // null: nothing was run twice
  std::int64_t freedom = 0;     // degrees of freedom
  // Enough runs to say what they differ by; fewer say no more than two.
  bool is_known() const { return freedom >= 4; }
  double used_ratio() const;  // is_known(); kMinRunSpreadRatio at least
  // Half of the 95 % interval of one run's logarithm. is_known().
  double half_interval() const;
};
RunSpread spread_of(std::span<const RepeatedRuns> things);

struct RepeatedMedian {
  // Geometric mean of the runs' medians; null without any.
  std::optional<double> median_ms;
  // 95 % interval: by the spread where it is known, else the range of what each run says itself.
  std::optional<double> low_ms, high_ms;
};
RepeatedMedian repeated_median(const RepeatedRuns& runs, const RunSpread& spread);

}  // namespace planex::analyze
