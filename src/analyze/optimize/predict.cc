#include "analyze/optimize/predict.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace planex::analyze {
namespace {

// More layers without a limit could hide any change.
constexpr std::size_t kLargestUnknownShare = 10;
// Sums of the same layers in another order.
constexpr double kSameRatio = 1e-6;

constexpr model::DType kSmallTypes[] = {model::DType::kFp16, model::DType::kBf16,
                                        model::DType::kFp8, model::DType::kInt8};

double row_as_type(const SpeedRow& row, const model::Rates& peaks, model::DType type) {
  const auto from = model::bits_per_element(row.rate_type), to = model::bits_per_element(type);
  const auto peak_from = peaks.of(row.rate_type), peak_to = peaks.of(type);
  const bool is_narrower = model::is_float(row.rate_type) && from && to && *to < *from;
  if (!is_narrower || !peak_from || !peak_to) return *row.bound_ms;
  const double bytes_ms = row.memory_ms.value_or(0) * *to / *from;
  const double compute_ms = row.compute_ms.value_or(0) * *peak_from / *peak_to;
  return std::max({bytes_ms, compute_ms, row.launch_ms.value_or(0)});
}

}  // namespace

EngineBound engine_bound(const SpeedOfLight& speed) {
  if (!speed.device.limits) {
    return {.reason = speed.device.problem.empty() ? "the device's limits are not known"
                                                   : speed.device.problem};
  }
  EngineBound bound{.device = speed.device.limits->name};
  std::size_t unknown = 0;
  double sum_ms = 0;
  for (const SpeedRow& row : speed.rows) {
    if (row.bound_ms) {
      sum_ms += *row.bound_ms;
    } else {
      ++unknown;
    }
  }
  if (speed.rows.empty() || unknown * kLargestUnknownShare > speed.rows.size()) {
    bound.reason = base::format("{} of {} tell neither their bytes nor their operations", unknown,
                                base::counted(speed.rows.size(), "layer"));
    return bound;
  }
  bound.bound_ms = sum_ms;
  const model::Rates& peaks = speed.device.limits->matrix_flops_per_s;
  for (const model::DType type : kSmallTypes) {
    if (!peaks.of(type)) continue;
    double as_type_ms = 0;
    for (const SpeedRow& row : speed.rows) {
      if (row.bound_ms) as_type_ms += row_as_type(row, peaks, type);
    }
    bound.as_type_ms.emplace_back(type, as_type_ms);
  }
  return bound;
}

Prediction predict(const EngineBound& before, const EngineBound& after) {
  for (const EngineBound* bound : {&before, &after}) {
    if (!bound->bound_ms) return {.reason = bound->reason};
  }
  if (!(*before.bound_ms > 0)) return {.reason = "no layer has a limit above 0"};
  const double change = *after.bound_ms / *before.bound_ms - 1;
  if (std::abs(change) < kSameRatio) {
    return {.reason = "its layers read, write and compute as much as before"};
  }
  return {.change_ratio = change};
}

Prediction predict_type(const EngineBound& before, model::DType type) {
  const auto found =
      std::ranges::find(before.as_type_ms, type, &std::pair<model::DType, double>::first);
  if (found == before.as_type_ms.end()) {
    return {.reason = before.reason.empty() ? "the device's peak in that type is not known"
                                            : before.reason};
  }
  return predict(before, {.bound_ms = found->second, .device = before.device});
}

}  // namespace planex::analyze
