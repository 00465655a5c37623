#include "analyze/timing/spikes.h"

#include <algorithm>
#include <cmath>

#include "analyze/timing/level_shifts.h"
#include "analyze/timing/regularity.h"

namespace planex::analyze {
namespace {

// A jump of the intervals by this factor marks a scale: shorter ones are within a burst.
constexpr double kScaleJump = 2.0;
// Bursts and the gaps between them, at one period each, must fill this share of the series for
// their period to describe the series.
constexpr double kMinCoverage = 0.6;
// An inner period is shorter by at least this factor.
constexpr double kInnerRatio = 3.0;
// Spikes with fewer samples between them are one burst, unless a scale says otherwise.
constexpr double kBurstSamples = 10;
// One is more regular than the other if the spread of its intervals is smaller by this factor.
constexpr double kClearlyLess = 0.7;
// Intervals are whole numbers of samples: below this period, anything regular in time is just as
// regular in samples, and multiples of small numbers occur by chance.
constexpr double kMinPeriodSamples = 3;
constexpr double kMinDistinctSamples = 20;

// Gaps that can separate bursts, ascending; the first joins only neighbouring samples.
std::vector<double> scales_of(std::span<const double> positions) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < positions.size(); ++i) {
    gaps.push_back(positions[i] - positions[i - 1]);
  }
  std::ranges::sort(gaps);
  std::vector<double> scales = {1};
  for (std::size_t i = 1; i < gaps.size() && scales.size() < kMaxScales; ++i) {
    if (gaps[i - 1] > scales.back() && gaps[i] > kScaleJump * gaps[i - 1]) {
      scales.push_back(gaps[i - 1]);
    }
  }
  return scales;
}

// The first event of each burst.
std::vector<std::size_t> bursts_of(std::span<const double> positions, double gap) {
  std::vector<std::size_t> firsts;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (i == 0 || positions[i] - positions[i - 1] > gap) firsts.push_back(i);
  }
  return firsts;
}

// Relative spread of the intervals around the multiples of their period.
double misfit(std::span<const double> at, const std::optional<Regularity>& regularity) {
  if (!regularity) return 1;
  double sum = 0;
  for (std::size_t i = 1; i < at.size(); ++i) {
    const double multiple = (at[i] - at[i - 1]) / regularity->period;
    const double off = std::abs(multiple - std::max(1.0, std::round(multiple)));
    sum += std::min(off, 0.5);
  }
  return sum / static_cast<double>(at.size() - 1);
}

std::optional<Period> period_of(std::span<const double> positions,
                                std::span<const double> starts_ms,
                                std::span<const std::size_t> firsts) {
  std::vector<double> at, at_ms;
  for (const std::size_t i : firsts) {
    at.push_back(positions[i]);
    if (!starts_ms.empty()) at_ms.push_back(starts_ms[i]);
  }
  auto by_sample = find_regularity(at);
  if (by_sample && by_sample->period < kMinPeriodSamples) by_sample.reset();
  const auto by_time = at_ms.empty() ? std::nullopt : find_regularity(at_ms);
  if (!by_sample && !by_time) return std::nullopt;
  const double sample_misfit = misfit(at, by_sample), time_misfit = misfit(at_ms, by_time);
  const bool take_time = by_time && (!by_sample || time_misfit <= sample_misfit);
  const Regularity& regularity = take_time ? *by_time : *by_sample;
  Period period{.hit_ratio = regularity.hit_ratio,
                .tolerance = regularity.tolerance,
                .p_value = regularity.p_value,
                .event_count = static_cast<std::int64_t>(at.size())};
  // For the other one, the median interval, regular or not.
  const auto median_interval = [](std::span<const double> events) {
    std::vector<double> intervals;
    for (std::size_t i = 1; i < events.size(); ++i) intervals.push_back(events[i] - events[i - 1]);
    return median_of(std::move(intervals));
  };
  period.samples = by_sample ? by_sample->period : median_interval(at);
  if (!at_ms.empty()) period.ms = by_time ? by_time->period : median_interval(at_ms);
  period.regular_in = "both";
  const bool distinct = period.samples >= kMinDistinctSamples;
  if (!by_sample || (distinct && time_misfit < kClearlyLess * sample_misfit)) {
    period.regular_in = "time";
  }
  if (starts_ms.empty() || (distinct && sample_misfit < kClearlyLess * time_misfit)) {
    period.regular_in = "samples";
  }
  return period;
}

}  // namespace

EventPattern find_pattern(std::span<const double> positions, std::span<const double> starts_ms,
                          std::size_t sample_count) {
  EventPattern pattern;
  if (positions.empty()) return pattern;
  pattern.burst_count = static_cast<std::int64_t>(bursts_of(positions, kBurstSamples).size());
  const std::vector<double> scales = scales_of(positions);
  for (std::size_t i = scales.size(); i-- > 0;) {
    const std::vector<std::size_t> firsts = bursts_of(positions, scales[i]);
    if (firsts.size() < kMinEvents) continue;
    auto period = period_of(positions, starts_ms, firsts);
    if (!period) continue;
    const double covered = period->samples * static_cast<double>(firsts.size());
    if (!pattern.period && covered >= kMinCoverage * static_cast<double>(sample_count)) {
      pattern.burst_count = static_cast<std::int64_t>(firsts.size());
      pattern.period = std::move(period);
    } else if (!pattern.inner_period &&
               (!pattern.period || period->samples * kInnerRatio <= pattern.period->samples)) {
      pattern.inner_period = std::move(period);
    }
  }
  return pattern;
}

}  // namespace planex::analyze
