// The times of inferences as a picture needs them: every field in the file, in few enough parts to
// draw, without losing a spike, and how the samples are distributed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyze/timing/steady_state.h"
#include "model/plan_model.h"

namespace planex::analyze {

// Quantiles are of type 7, like all those of end to end.
struct SampleFigures {
  std::int64_t count = 0;
  double mean_ms = 0, median_ms = 0, min_ms = 0, p90_ms = 0, p95_ms = 0, p99_ms = 0, max_ms = 0;
};

// counts[i]: samples in [start + i · step, start + (i + 1) · step), trusted[i]: the trusted ones
// among them. Samples outside are outliers: beyond the 0.5th or 99.5th percentile by more than a
// quarter of the range between them.
struct SampleBins {
  double start_ms = 0, step_ms = 0;
  std::vector<std::int64_t> counts, trusted;
  std::int64_t below = 0, above = 0;
};

// The samples in equal parts, at most kMaxBuckets, by start. Columns have one row per part.
struct SampleBuckets {
  std::vector<std::int64_t> first;     // position of its first sample, among all
  std::vector<double> min_ms, max_ms;  // of its usable samples; NaN where there are none
  // Median of the usable samples around it: over kRunningBuckets parts, or as many as contain
  // kRunningSamples samples.
  std::vector<double> running_ms;
  // Start of its first sample since the start of the first of all, in whole microseconds; empty
  // where a start is missing.
  std::vector<double> start_ms;
};

struct FieldSamples {
  // latency, compute, enqueue, h2d or d2h: the columns of `iterations`.
  std::string_view field;
  bool is_end_to_end = false;
  // An earlier field with the same time in every sample; empty: none. Then only the figures are
  // given.
  std::string_view same_as;
  // For all usable samples; for those that steady_state.h trusts.
  std::optional<SampleFigures> all, trusted;
  // The clock's step: times are its multiples, except for rounding. Null where none is known.
  std::optional<double> step_ms;
  // For the samples after the warm-up; null for fewer than ten, or where all are equal.
  std::optional<SampleBins> bins;
  // The same in finer bins for the middle only, where that has less than a quarter of `bins`: long
  // tails leave little room for the shape of the rest.
  std::optional<SampleBins> middle_bins;
  SampleBuckets buckets;
};

struct TimingSamples {
  std::int64_t sample_count = 0;
  // The end-to-end figure's field first. Fields that no sample has are left out.
  std::vector<FieldSamples> fields;
};

inline constexpr std::size_t kMaxBuckets = 2000;
inline constexpr std::size_t kMaxBins = 120;
inline constexpr std::size_t kRunningBuckets = 5;
inline constexpr std::size_t kRunningSamples = 25;

// Empty where there are no times, or they belong to another profile: `state` is then null. A time
// is usable as in steady_state.h; for the fields that are not end to end, 0 is also usable. Cost:
// O(n log n) for each field.
TimingSamples timing_samples(const model::PlanModel& model,
                             const std::optional<SteadyState>& state);

}  // namespace planex::analyze
