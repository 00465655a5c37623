#include "analyze/timing/exact_time.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/checked.h"

namespace planex::analyze {
namespace {

constexpr double kFemtosecondsOfMs = 1e12;

// A time multiplied by a number of operations needs more than 64 bits.
__extension__ using Wide = unsigned __int128;

}  // namespace

std::optional<Femtoseconds> femtoseconds(double ms) {
  if (!std::isfinite(ms) || std::fabs(ms) > kLongestMs) return std::nullopt;
  return static_cast<Femtoseconds>(std::llround(ms * kFemtosecondsOfMs));
}

double milliseconds(Femtoseconds time) { return static_cast<double>(time) / kFemtosecondsOfMs; }

std::optional<double> milliseconds(std::optional<Femtoseconds> time) {
  return time ? std::optional(milliseconds(*time)) : std::nullopt;
}

ExactTimes exact_times(const model::PlanModel& model, TimeBasis basis) {
  const std::size_t count = model.layers.row_count();
  ExactTimes times;
  times.of_layer.resize(count);
  base::CheckedInt total = 0;
  bool any = false, all = true;
  for (std::size_t row = 0; row < count && all; ++row) {
    const auto ms =
        model.is_shown(model::LayerId(row)) ? layer_time(model, row, basis) : std::nullopt;
    if (!ms) continue;
    times.of_layer[row] = femtoseconds(*ms);
    all = times.of_layer[row].has_value();
    total += times.of_layer[row].value_or(0);
    any = true;
  }
  if (!all || !total.value()) {
    std::ranges::fill(times.of_layer, std::nullopt);
  } else if (any) {
    times.total = total.value();
  }
  return times;
}

std::vector<Femtoseconds> split(Femtoseconds whole, std::span<const std::int64_t> weights) {
  std::vector<Femtoseconds> parts(weights.size());
  if (weights.empty()) return parts;
  const bool even = std::ranges::all_of(weights, [](std::int64_t weight) { return weight <= 0; });
  const auto weight_of = [&](std::size_t i) {
    return even ? Wide{1} : static_cast<Wide>(std::max<std::int64_t>(weights[i], 0));
  };
  Wide sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weight_of(i);
  // A negative time is an error, and is split like its absolute value.
  const bool is_negative = whole < 0;
  const auto size = is_negative ? Wide{0} - static_cast<Wide>(whole) : static_cast<Wide>(whole);
  std::vector<Wide> remainders(weights.size());
  Wide left = size;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Wide product = size * weight_of(i);
    parts[i] = static_cast<Femtoseconds>(product / sum);
    remainders[i] = product % sum;
    left -= product / sum;
  }
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
  // The remainder is less than the number of parts.
  for (std::size_t i = 0; i < static_cast<std::size_t>(left); ++i) ++parts[order[i]];
  if (is_negative) {
    for (Femtoseconds& part : parts) part = -part;
  }
  return parts;
}

}  // namespace planex::analyze
