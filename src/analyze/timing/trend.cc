#include "analyze/timing/trend.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "analyze/timing/distributions.h"
#include "analyze/timing/level_shifts.h"

namespace planex::analyze {
namespace {

// Autocorrelations within this many standard errors count as zero (the 5 % level).
constexpr double kSignificant = 1.96;

// Ranks from 1; ties share theirs.
std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    for (std::size_t i = first; i < end; ++i) {
      ranks[order[i]] = 0.5 * static_cast<double>(first + end + 1);
    }
    first = end;
  }
  return ranks;
}

// Factor by which memory widens the distribution of the statistic; at least 1.
double memory_factor(std::span<const double> detrended) {
  const std::vector<double> ranks = ranks_of(detrended);
  const auto n = static_cast<double>(ranks.size());
  const double mean = (n + 1) / 2;
  double variance = 0;
  for (const double rank : ranks) variance += (rank - mean) * (rank - mean);
  if (variance == 0) return 1;
  double sum = 0;
  for (std::size_t lag = 1; lag + 3 < ranks.size(); ++lag) {
    double together = 0;
    for (std::size_t i = lag; i < ranks.size(); ++i) {
      together += (ranks[i] - mean) * (ranks[i - lag] - mean);
    }
    const double correlation = together / variance;
    if (std::abs(correlation) < kSignificant / std::sqrt(n)) continue;
    const double left = n - static_cast<double>(lag);
    sum += left * (left - 1) * (left - 2) * correlation;
  }
  return std::max(1.0, 1 + 2 / (n * (n - 1) * (n - 2)) * sum);
}

// Variance of the Mann–Kendall statistic without a trend.
double variance_of(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto term = [](double count) { return count * (count - 1) * (2 * count + 5) / 18; };
  double variance = term(static_cast<double>(sorted.size()));
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t end = first + 1;
    while (end < sorted.size() && sorted[end] == sorted[first]) ++end;
    variance -= term(static_cast<double>(end - first));
    first = end;
  }
  return variance;
}

}  // namespace

Trend find_trend(std::span<const double> at, std::span<const double> values) {
  Trend trend;
  std::vector<double> slopes;
  slopes.reserve(values.size() * (values.size() - 1) / 2);
  double score = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t k = i + 1; k < values.size(); ++k) {
      const double rise = values[k] - values[i];
      score += rise > 0 ? 1 : rise < 0 ? -1 : 0;
      if (at[k] > at[i]) slopes.push_back(rise / (at[k] - at[i]));
    }
  }
  if (slopes.empty()) return trend;
  trend.slope = median_of(std::move(slopes));

  std::vector<double> detrended;
  for (std::size_t i = 0; i < values.size(); ++i) {
    detrended.push_back(values[i] - trend.slope * at[i]);
  }
  const double variance = variance_of(values) * memory_factor(detrended);
  if (variance <= 0 || score == 0) return trend;
  // One less: the continuity correction.
  const double z = (std::abs(score) - 1) / std::sqrt(variance);
  trend.p_value = normal_two_sided(z);
  return trend;
}

}  // namespace planex::analyze
