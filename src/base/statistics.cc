#include "base/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace planex::base {

double quantile(std::span<const double> sorted, double ratio) {
  const double position = ratio * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  if (below + 1 >= sorted.size()) return sorted.back();
  return std::lerp(sorted[below], sorted[below + 1], position - static_cast<double>(below));
}

SampleStatistics sample_statistics(std::vector<double> samples) {
  SampleStatistics result;
  result.sum = std::accumulate(samples.begin(), samples.end(), 0.0);
  result.mean = result.sum / static_cast<double>(samples.size());
  std::ranges::sort(samples);
  result.median = quantile(samples, 0.5);
  result.min = samples.front();
  result.max = samples.back();
  return result;
}

}  // namespace planex::base
