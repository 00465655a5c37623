// The times of inferences as one series, and whether they overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

// The usable samples of the end-to-end figure, in the order of their start.
struct TimingSeries {
  std::string field;  // compute or latency
  std::vector<double> ms;
  // Since the first sample's start; empty where a start is missing. The order is then the file's.
  std::vector<double> start_ms;
  std::vector<std::int64_t> positions;  // among all samples, in that order
  std::int64_t unusable_count = 0;      // not a positive number, or longer than a day
};

// A day; a longer time is wrong, and its square may overflow.
inline constexpr double kLongestSampleMs = 86'400'000.0;

// Rows by their start; in file order where one has none.
std::vector<std::size_t> inference_order(const model::IterationsTable& table);

// Null where there are no times.
std::optional<TimingSeries> timing_series(const model::IterationsTable& table);

struct Overlap {
  double share = 0;        // share of inferences that begin before an earlier one has ended
  std::int64_t depth = 1;  // that run at once, the 99th percentile
};

// By compute where its ends are known, since the next inference is enqueued early.
Overlap find_overlap(const model::IterationsTable& table);

}  // namespace planex::analyze
