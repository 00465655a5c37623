// Medians of repeated runs, with intervals from the spread of runs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyze/verdict/verdict.h"

namespace planex::analyze {

// Runs of one subject, without those that have no median.
using RepeatedRuns = std::vector<const MeasuredRun*>;

// The standard deviation of the logarithms of medians around the mean of their subject, assuming a
// normal distribution common to all: s² = Σ (x − mean)² ÷ Σ (runs − 1).
struct RunSpread {
  std::optional<double> ratio;  // null: nothing was run twice
  std::int64_t freedom = 0;     // degrees of freedom
  // Enough runs to show how they differ; below that, no more is known than from two.
  bool is_known() const { return freedom >= 4; }
  double used_ratio() const;  // is_known(); kMinRunSpreadRatio at least
  // Half of the 95 % interval of one run's logarithm. is_known().
  double half_interval() const;
};
RunSpread spread_of(std::span<const RepeatedRuns> things);

struct RepeatedMedian {
  // Geometric mean of the runs' medians; null without any.
  std::optional<double> median_ms;
  // 95 % interval: from the spread where it is known, else the range of the runs' own intervals.
  std::optional<double> low_ms, high_ms;
};
RepeatedMedian repeated_median(const RepeatedRuns& runs, const RunSpread& spread);

}  // namespace planex::analyze
