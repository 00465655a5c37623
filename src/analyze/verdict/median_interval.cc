#include "analyze/verdict/median_interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

#include "analyze/timing/distributions.h"
#include "analyze/timing/level_shifts.h"
#include "analyze/timing/timer_step.h"
#include "base/statistics.h"

namespace planex::analyze {
namespace {

constexpr std::uint64_t kSeed = 20'040'823;
// Autocovariances use at most this many means of neighbours: lags go up to the square root.
constexpr std::size_t kMaxCells = 8192;
// Fewer blocks than this say too little about how blocks differ.
constexpr std::size_t kMinBlockCount = 8;

// Integers below `bound`, two from each draw: 32 bits each, whose bias below 2²⁰ is less than 1 in
// 4 000. The distributions of <random> are not the same on every machine.
class Draws {
 public:
  explicit Draws(std::size_t bound) : engine_(kSeed), bound_(bound) {}

  std::size_t next() {
    if (!is_half_used_) bits_ = engine_();
    const std::uint64_t half = is_half_used_ ? bits_ >> 32U : bits_ & 0xFFFF'FFFFU;
    is_half_used_ = !is_half_used_;
    return static_cast<std::size_t>((half * bound_) >> 32U);
  }

 private:
  std::mt19937_64 engine_;
  std::uint64_t bound_, bits_ = 0;
  bool is_half_used_ = false;
};

std::vector<double> means_of_neighbours(std::span<const double> values, std::size_t size) {
  std::vector<double> means;
  means.reserve(values.size() / size);
  for (std::size_t first = 0; first + size <= values.size(); first += size) {
    const auto cell = values.subspan(first, size);
    means.push_back(std::accumulate(cell.begin(), cell.end(), 0.0) / static_cast<double>(size));
  }
  return means;
}

// 1 up to a half, then down to 0 at 1 (Politis & Romano 1995).
double flat_top(double x) { return x <= 0.5 ? 1 : std::max(0.0, 2 * (1 - x)); }

// Block length for values, from their autocovariances; can be any positive number.
double length_by_autocovariance(std::span<const double> values) {
  const std::size_t n = values.size();
  const auto count = static_cast<double>(n);
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  const auto covariance = [&](std::size_t lag) {
    double sum = 0;
    for (std::size_t i = lag; i < n; ++i) sum += (values[i] - mean) * (values[i - lag] - mean);
    return sum / count;
  };
  // The first lag after which a run of correlations is within chance.
  const double digits = std::log10(count);
  const auto run = std::max<std::size_t>(5, static_cast<std::size_t>(std::ceil(std::sqrt(digits))));
  const std::size_t most =
      std::min(n - 1, static_cast<std::size_t>(std::ceil(std::sqrt(count))) + run);
  std::vector<double> covariances{covariance(0)};
  if (!(covariances[0] > 0)) return 1;
  const double limit = 2 * std::sqrt(digits / count) * covariances[0];
  std::size_t last = 0;
  for (std::size_t lag = 1; lag <= most && lag <= last + run; ++lag) {
    covariances.push_back(covariance(lag));
    if (std::abs(covariances[lag]) >= limit) last = lag;
  }
  if (last == 0) return 1;
  const std::size_t reach = std::min(2 * last, most);
  while (covariances.size() <= reach) covariances.push_back(covariance(covariances.size()));
  double spectrum = covariances[0], moment = 0;
  for (std::size_t lag = 1; lag <= reach; ++lag) {
    const double weight = flat_top(static_cast<double>(lag) / static_cast<double>(reach));
    spectrum += 2 * weight * covariances[lag];
    moment += 2 * weight * static_cast<double>(lag) * covariances[lag];
  }
  const double scale = 4.0 / 3.0 * spectrum * spectrum;
  if (!(scale > 0)) return 1;
  return std::cbrt(2 * moment * moment / scale) * std::cbrt(count);
}

// Distance from the median to the nearest other value on the side where that is larger.
double gap_at(std::span<const double> sorted, double median) {
  const auto above = std::ranges::upper_bound(sorted, median);
  const auto below = std::ranges::lower_bound(sorted, median);
  double gap = 0;
  if (above != sorted.end()) gap = *above - median;
  if (below != sorted.begin()) gap = std::max(gap, median - *std::prev(below));
  return gap;
}

bool is_in_steps(std::span<const double> sorted) {
  std::size_t distinct = 1;
  for (std::size_t i = 1; i < sorted.size(); ++i) distinct += sorted[i] != sorted[i - 1] ? 1U : 0U;
  return distinct > 1 && distinct <= sorted.size() / 2;
}

// How far rounding to `step` can move the middle of normal samples: half a step where they don't
// spread, and less the more they do (the first term of the Fourier series of the error, which
// Sheppard's corrections leave out). Uses the middle nine tenths, since spikes are irrelevant here.
double rounding_error(std::span<const double> sorted, double step) {
  const std::size_t tail = sorted.size() / 20;
  const auto middle = sorted.subspan(tail, sorted.size() - 2 * tail);
  const auto count = static_cast<double>(middle.size());
  const double mean = std::accumulate(middle.begin(), middle.end(), 0.0) / count;
  double squares = 0;
  for (const double value : middle) squares += (value - mean) * (value - mean);
  // Rounding itself adds a twelfth of a squared step.
  const double variance = std::max(0.0, squares / count / (step * step) - 1.0 / 12);
  return step / 2 * std::exp(-2 * std::numbers::pi * std::numbers::pi * variance);
}

}  // namespace

std::size_t block_length_of(std::span<const double> values) {
  const std::size_t n = values.size();
  const std::size_t longest = std::max<std::size_t>(1, n / kMinBlockCount);
  if (n < kMinForInterval) return 1;
  const std::size_t cell = (n + kMaxCells - 1) / kMaxCells;
  const double length =
      static_cast<double>(cell) * length_by_autocovariance(means_of_neighbours(values, cell));
  const double clamped = std::clamp(std::ceil(length), 1.0, static_cast<double>(longest));
  // Longer blocks cost precision, never correctness; so no more blocks than are drawn are needed.
  return std::max(static_cast<std::size_t>(clamped), (n + kMaxBlocksDrawn - 1) / kMaxBlocksDrawn);
}

MedianInterval median_interval(std::span<const double> samples, double confidence,
                               std::size_t min_block) {
  MedianInterval result;
  const std::size_t n = samples.size();
  std::vector<double> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  result.median = result.located = base::quantile(sorted, 0.5);
  result.low = sorted.front();
  result.high = sorted.back();
  result.effective_count = static_cast<double>(n);
  const double gap = gap_at(sorted, result.median);
  if (is_in_steps(sorted)) result.step = gap;
  if (n < kMinForInterval) return result;
  double hidden = gap / 2;
  std::vector<double> located(samples.begin(), samples.end());
  const double step = timer_step(sorted).value_or(0);
  if (step > 0 && step >= kMinChangeRatio * result.median) {
    hidden = rounding_error(sorted, step);
    spread_steps(located, step);
    std::ranges::copy(located, sorted.begin());
    std::ranges::sort(sorted);
    result.located = base::quantile(sorted, 0.5);
  }

  // Samples equal to the median count half as below.
  std::vector<double> below(n);
  for (std::size_t i = 0; i < n; ++i) {
    below[i] = located[i] < result.located ? 1 : located[i] > result.located ? 0 : 0.5;
  }
  result.block_length = std::max(block_length_of(below), std::min(min_block, n / kMinBlockCount));
  const std::size_t length = result.block_length;
  const std::size_t blocks = (n + length - 1) / length;
  // Sums over the series twice, since blocks go round its end.
  std::vector<double> sums(n + length + 1, 0);
  for (std::size_t i = 0; i < n + length; ++i) sums[i + 1] = sums[i] + below[i % n];
  const double mean = sums[n] / static_cast<double>(n);

  Draws draws(n);
  std::vector<double> shares(kBootstrapDraws);
  double squares = 0;
  for (double& share : shares) {
    double sum = 0;
    for (std::size_t i = 0; i < blocks; ++i) {
      const std::size_t first = draws.next();
      sum += sums[first + length] - sums[first];
    }
    share = sum / static_cast<double>(blocks * length) - mean;
    squares += share * share;
  }
  std::ranges::sort(shares);
  // Blocks overlap, but only as many as fit are independent.
  const double freedom = static_cast<double>(blocks) - 1;
  const double tail = (1 - confidence) / 2;
  const double stretch = student_quantile(freedom, 1 - tail) / normal_quantile(1 - tail) *
                         std::sqrt(static_cast<double>(blocks * length) / static_cast<double>(n) *
                                   static_cast<double>(blocks) / freedom);
  const double least = base::quantile(shares, tail) * stretch;
  const double most = base::quantile(shares, 1 - tail) * stretch;
  // A gap can be wider than the shortest time.
  result.low = std::max(base::quantile(sorted, std::clamp(0.5 - most, 0.0, 0.5)) - hidden,
                        std::min(sorted.front(), sorted.front() / 2));
  result.high = base::quantile(sorted, std::clamp(0.5 - least, 0.5, 1.0)) + hidden;
  const double variance = squares / static_cast<double>(kBootstrapDraws);
  if (variance > 0) {
    result.effective_count = std::clamp(0.25 / variance, 1.0, static_cast<double>(n));
  }
  return result;
}

}  // namespace planex::analyze
