#include "analyze/timing/regularity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "analyze/timing/distributions.h"
#include "analyze/timing/level_shifts.h"

namespace planex::analyze {
namespace {

constexpr std::array<double, 4> kTolerances = {0.02, 0.05, 0.1, 0.2};
// Events are still regular if one or two are missing between neighbours.
constexpr int kMaxMultiples = 3;
// Criteria for regularity: it happens by chance once in 1 000 times, and most intervals agree.
constexpr double kMaxPValue = 0.001;
constexpr double kMinHitRatio = 0.7;

// Probability that a random interval, with a median of 1, is within the tolerance of a multiple.
double chance_of(double tolerance) {
  const auto beyond = [](double interval) { return std::exp(-std::numbers::ln2 * interval); };
  double chance = 0;
  for (int multiple = 1; multiple <= kMaxMultiples; ++multiple) {
    chance += beyond(multiple - tolerance) - beyond(multiple + tolerance);
  }
  return chance;
}

}  // namespace

std::optional<Regularity> find_regularity(std::span<const double> at) {
  if (at.size() < kMinEvents) return std::nullopt;
  std::vector<double> intervals;
  for (std::size_t i = 1; i < at.size(); ++i) intervals.push_back(at[i] - at[i - 1]);
  Regularity best;
  best.period = median_of(intervals);
  if (!(best.period > 0)) return std::nullopt;
  for (const double tolerance : kTolerances) {
    double hits = 0;
    for (const double interval : intervals) {
      const double multiple = interval / best.period;
      const double nearest = std::clamp(std::round(multiple), 1.0, double{kMaxMultiples});
      if (std::abs(multiple - nearest) <= tolerance) ++hits;
    }
    // The median itself is a hit by construction.
    const double p_value = hits < 2 ? 1
                                    : binomial_more_than(static_cast<double>(intervals.size() - 1),
                                                         chance_of(tolerance), hits - 2);
    const double corrected = std::min(1.0, p_value * kTolerances.size());
    if (corrected < best.p_value && hits / static_cast<double>(intervals.size()) >= kMinHitRatio) {
      best.p_value = corrected;
      best.tolerance = tolerance;
      best.hit_ratio = hits / static_cast<double>(intervals.size());
    }
  }
  if (best.p_value > kMaxPValue) return std::nullopt;
  return best;
}

}  // namespace planex::analyze
