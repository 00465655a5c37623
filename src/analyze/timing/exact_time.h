// Times that add up: whole femtoseconds, so that the parts of a sum are the sum to the last digit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analyze/timing/reconcile.h"
#include "model/plan_model.h"

namespace planex::analyze {

// A profile's times have at most six decimals of a millisecond, or are sums of such times divided
// by a count: a femtosecond is far below the resolution of the measurement.
using Femtoseconds = std::int64_t;

// Null for values that are not finite, or longer than kLongestMs.
inline constexpr double kLongestMs = 1e6;
std::optional<Femtoseconds> femtoseconds(double ms);
double milliseconds(Femtoseconds time);
std::optional<double> milliseconds(std::optional<Femtoseconds> time);

// The times of an engine's records under a basis. All are null where one is too long to add up.
struct ExactTimes {
  std::vector<std::optional<Femtoseconds>> of_layer;  // one per record
  // Σ layers: of all records that have a time. Null where none has.
  std::optional<Femtoseconds> total;
};
ExactTimes exact_times(const model::PlanModel& model, TimeBasis basis);

// `whole` split in proportion to `weights`, by the largest remainder: each part is the exact one
// rounded down or up, and their sum is `whole`. Of equal remainders, the first is rounded up.
// Weights are not negative; where all are 0, the parts are equal.
std::vector<Femtoseconds> split(Femtoseconds whole, std::span<const std::int64_t> weights);

}  // namespace planex::analyze
