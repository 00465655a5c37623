#include "analyze/timing/timer_step.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <vector>

#include "base/statistics.h"

namespace planex::analyze {
namespace {

// Values closer than this, relative to the level, are one: files round in several ways.
constexpr double kSameRatio = 5e-4;
// How far from a multiple of the step a value may lie, in steps.
constexpr double kOffGrid = 0.15;
constexpr double kOnGridShare = 0.95;
// For NVIDIA's events, whose differences are computed in single precision: they are off by up to a
// tenth of it, so values don't repeat.
constexpr double kEventTickMs = 1.024e-3;
constexpr double kAlignedEvents = 0.8;

struct TickValue {
  double ms = 0;
  std::size_t count = 0;
};

std::vector<TickValue> distinct_values(std::span<const double> sorted, double same) {
  std::vector<TickValue> values;
  for (const double ms : sorted) {
    if (values.empty() || ms - values.back().ms > same) values.push_back({.ms = ms});
    ++values.back().count;
  }
  return values;
}

bool is_multiple(double distance, double step) {
  const double steps = distance / step;
  return std::abs(steps - std::round(steps)) <= kOffGrid;
}

bool are_event_steps(std::span<const double> sorted) {
  if (sorted.back() - sorted.front() < 2 * kEventTickMs) return false;
  double sum = 0;
  for (const double ms : sorted) sum += std::cos(2 * std::numbers::pi * ms / kEventTickMs);
  return sum >= kAlignedEvents * static_cast<double>(sorted.size());
}

std::optional<double> step_of_repeated(std::span<const double> sorted,
                                       std::span<const TickValue> values) {
  if (values.size() > sorted.size() / 2) return std::nullopt;
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < values.size(); ++i) {
    step = std::min(step, values[i].ms - values[i - 1].ms);
  }
  if (values.size() == 2 && !is_multiple(values[0].ms, step)) return std::nullopt;
  // From the most frequent value: a step known to a thousandth is no longer known a thousand steps
  // away.
  const double origin = std::ranges::max(values, {}, &TickValue::count).ms;
  std::size_t on_grid = 0;
  for (const TickValue& value : values) {
    if (is_multiple(value.ms - origin, step)) on_grid += value.count;
  }
  if (static_cast<double>(on_grid) < kOnGridShare * static_cast<double>(sorted.size())) {
    return std::nullopt;
  }
  return step;
}

}  // namespace

std::optional<double> timer_step(std::span<const double> sorted) {
  const double level = base::quantile(sorted, 0.5);
  const std::vector<TickValue> values = distinct_values(sorted, level * kSameRatio);
  if (values.size() < 2) return std::nullopt;
  if (const auto step = step_of_repeated(sorted, values)) return step;
  if (are_event_steps(sorted)) return kEventTickMs;
  return std::nullopt;
}

void spread_steps(std::span<double> values, double step) {
  // Multiples of the golden ratio fill an interval more evenly than random numbers.
  constexpr double kGolden = std::numbers::phi - 1;
  double place = 0.5;
  for (double& value : values) {
    value += (place - 0.5) * step;
    place += kGolden;
    if (place >= 1) place -= 1;
  }
}

}  // namespace planex::analyze
