#include "analyze/verdict/repeated_runs.h"

#include <algorithm>
#include <cmath>

#include "analyze/timing/distributions.h"

namespace planex::analyze {
namespace {

double mean_log(const RepeatedRuns& runs) {
  double sum = 0;
  for (const MeasuredRun* run : runs) sum += std::log(*run->median_ms);
  return sum / static_cast<double>(runs.size());
}

}  // namespace

double RunSpread::used_ratio() const { return std::max(*ratio, kMinRunSpreadRatio); }

double RunSpread::half_interval() const {
  return student_quantile(static_cast<double>(freedom), (1 + kVerdictConfidence) / 2) *
         used_ratio();
}

RunSpread spread_of(std::span<const RepeatedRuns> things) {
  RunSpread spread;
  double squares = 0;
  for (const RepeatedRuns& runs : things) {
    if (runs.size() < 2) continue;
    const double mean = mean_log(runs);
    for (const MeasuredRun* run : runs) {
      const double off = std::log(*run->median_ms) - mean;
      squares += off * off;
    }
    spread.freedom += static_cast<std::int64_t>(runs.size()) - 1;
  }
  if (spread.freedom > 0) {
    spread.ratio = std::sqrt(squares / static_cast<double>(spread.freedom));
  }
  return spread;
}

RepeatedMedian repeated_median(const RepeatedRuns& runs, const RunSpread& spread) {
  RepeatedMedian result;
  if (runs.empty()) return result;
  const double mean = mean_log(runs);
  result.median_ms = std::exp(mean);
  if (spread.is_known()) {
    const double off = spread.half_interval() / std::sqrt(static_cast<double>(runs.size()));
    result.low_ms = std::exp(mean - off);
    result.high_ms = std::exp(mean + off);
    return result;
  }
  // Too few runs to show how they differ.
  for (const MeasuredRun* run : runs) {
    if (!run->median_low_ms || !run->median_high_ms) {
      result.low_ms.reset();
      result.high_ms.reset();
      return result;
    }
    result.low_ms = std::min(result.low_ms.value_or(*run->median_low_ms), *run->median_low_ms);
    result.high_ms = std::max(result.high_ms.value_or(*run->median_high_ms), *run->median_high_ms);
  }
  return result;
}

}  // namespace planex::analyze
