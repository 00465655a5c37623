// Whether a measurement can be trusted: warm-up, drift, steps, two modes, spikes, and which samples
// to trust.
//
// Samples are those of the end-to-end figure (reconcile.h), by their start. Positions count from 0
// in that order; times are in ms since the start of the first sample. Everything here describes the
// numbers; causes are likely, never certain.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/timing/timing_series.h"
#include "model/judgements.h"
#include "model/plan_model.h"

namespace planex::analyze {

using model::Steadiness;

// Samples with positions [first, last].
struct SampleRange {
  std::int64_t first = 0, last = 0, count = 0;  // count: usable ones
  std::optional<double> start_ms, end_ms;       // null where the file has no start times
};

struct TimingPhase {
  SampleRange range;
  bool is_warm_up = false, is_trusted = false;
  double median_ms = 0;
  // 1.4826 · median absolute deviation ÷ median: spread without spikes.
  double spread_ratio = 0;
  // Median less that of the trusted samples, relative to the latter.
  std::optional<double> change_ratio;
  std::int64_t spike_count = 0;
};

struct WarmUp {
  SampleRange range;
  // For the first phase of the warm-up, and for the samples after it.
  double from_ms = 0, to_ms = 0;
};

struct Drift {
  // Change of the median, relative to it, over all samples after the warm-up.
  double change_ratio = 0;
  double per_1000_samples_ratio = 0;
  std::optional<double> per_second_ratio;
  double p_value = 1;
  // Significant, at least kMinChangeRatio, and a better description than steps.
  bool is_significant = false;
};

struct Step {
  std::int64_t at = 0;  // the first sample after it
  std::optional<double> at_ms;
  double before_ms = 0, after_ms = 0, change_ratio = 0;
};

// A level that lasted for less than 2 % of the samples and returned to the one before.
struct Excursion {
  SampleRange range;
  double median_ms = 0, change_ratio = 0;  // of its phase's median
};

// Phases within kMinChangeRatio of the quickest of them.
struct Level {
  double median_ms = 0;
  double share = 0;  // of the samples after the warm-up
};

struct Period {
  std::optional<double> ms;
  double samples = 0;
  // Which of the two is more regular: time (something else on the machine), samples (something in
  // the loop), or both where they don't differ.
  std::string regular_in;
  double hit_ratio = 0, tolerance = 0, p_value = 1;
  std::int64_t event_count = 0;
};

// For the trusted samples.
struct Modes {
  double low_ms = 0, high_ms = 0;
  double low_share = 0, high_share = 0;
  double change_ratio = 0;  // high − low, of low
  double bic_gain = 0;
  // Average number of samples between changes of side: 2 where both sides are equally likely and
  // drawn at random.
  double mean_run = 0;
  // Of runs of the rarer side.
  std::optional<Period> period;
};

struct Spikes {
  // A sample is a spike above its phase's median times 1 + this.
  double threshold_ratio = 0;
  std::int64_t count = 0;
  double share = 0;  // of the samples after the warm-up
  // What they take beyond the level, relative to the whole time after the warm-up.
  double cost_share = 0;
  std::optional<double> median_ms, max_ms;
  // Spikes with only a few samples between them are one burst.
  std::int64_t burst_count = 0;
  // For bursts, where a burst is one spike or several; the longest period that covers the
  // measurement.
  std::optional<Period> period;
  // Within bursts.
  std::optional<Period> inner_period;
};

struct TrustedFigures {
  SampleRange range;
  double share = 0;  // of all usable samples
  double median_ms = 0, mean_ms = 0, p90_ms = 0, p95_ms = 0, p99_ms = 0, min_ms = 0, max_ms = 0;
  // 95 % confidence interval of the median: order statistics under the binomial distribution, for
  // effective_count samples.
  double median_low_ms = 0, median_high_ms = 0;
  // Standard deviation ÷ mean.
  double variation = 0;
  double autocorrelation = 0;  // of neighbours, spikes clipped
  // Number of independent samples that say as much about the level, by batch means.
  double effective_count = 0;
};

// Evidence for a clock that changed during the measurement.
enum class ClockSign : std::uint8_t {
  kSteps,   // levels that differ by more than their spread
  kWarmUp,  // so does the warm-up
  kDrift,
  kModes,  // two values, each for several consecutive samples
};
std::string_view to_string(ClockSign sign);

// The series in equal parts, for a picture.
struct TimingOverview {
  std::vector<double> median_ms, max_ms;
};

struct SteadyState {
  Steadiness verdict = Steadiness::kTooFew;
  std::string field;  // compute or latency
  std::int64_t sample_count = 0;
  // Samples that are not positive numbers.
  std::int64_t unusable_count = 0;
  std::optional<double> duration_ms;
  // Share of samples that begin before an earlier one has ended, and how many run at once (the 99th
  // percentile): several streams. 0 and 1 where they follow one another.
  double overlapping_share = 0;
  std::int64_t concurrent = 1;
  double variation = 0;  // standard deviation ÷ mean of all samples
  std::vector<TimingPhase> phases;
  std::vector<Level> levels;  // after the warm-up, by time, ascending
  std::vector<Step> steps;    // after the warm-up
  std::vector<Excursion> excursions;
  std::optional<WarmUp> warm_up;
  std::optional<Drift> drift;
  std::optional<Modes> modes;
  std::optional<Spikes> spikes;
  std::optional<TrustedFigures> trusted;
  // If there is evidence, clocks were probably not locked. Its absence does not prove that they
  // were.
  std::vector<ClockSign> clock_signs;
  TimingOverview overview;
};

// Null where the model has no times of inferences.
// Cost: O(n log n) of the samples.
std::optional<SteadyState> find_steady_state(const model::PlanModel& model);
// The same for a series that does not come from a model; reports nothing about overlaps.
SteadyState find_steady_state(const TimingSeries& series);

}  // namespace planex::analyze
