#include "analyze/timing/level_shifts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "analyze/timing/timer_step.h"

namespace planex::analyze {
namespace {

// A level must last at least this many blocks.
constexpr std::size_t kMinBlocks = 3;
// In both directions; with kMinBlocks, this filters out disturbances that are shorter than a level
// can be.
constexpr std::size_t kFilterReach = 2;
// Maximum distance of a block from its neighbours' median, in standard deviations of a block.
constexpr double kClip = 3.0;
// Penalty of a change: this times the logarithm of the number of blocks, in units of the blocks'
// variance. The Bayesian criterion says 2 for independent normal blocks; more, because times have
// long tails and some memory. Less than 1 in 100 series without changes get one
// (steady_state_test.cc), for white noise and for noise with a memory of ten samples.
constexpr double kPenalty = 5.0;
// A shorter level between two similar ones is an excursion.
constexpr double kMinShare = 0.02;
// Warm-up is a short beginning; a longer one is a separate level.
constexpr double kMaxWarmUpShare = 0.25;

std::size_t block_size_of(std::size_t n) {
  // The cube root balances the number of blocks against how precisely each is known.
  const auto root = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(n))));
  return std::max({std::size_t{5}, root, (n + kMaxBlocks - 1) / kMaxBlocks});
}

std::vector<double> block_medians(std::span<const double> samples, std::size_t size) {
  std::vector<double> medians;
  std::vector<double> block;
  // The last block includes the remainder: a short block would be less certain than the others.
  const std::size_t count = std::max<std::size_t>(1, samples.size() / size);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i * size;
    const std::size_t end = i + 1 == count ? samples.size() : first + size;
    block.assign(samples.begin() + static_cast<std::ptrdiff_t>(first),
                 samples.begin() + static_cast<std::ptrdiff_t>(end));
    medians.push_back(median_of(std::move(block)));
  }
  return medians;
}

// Medians of blocks, without jumps from one tick of a coarse timer to the next.
std::vector<double> smooth_block_medians(std::span<const double> samples, std::size_t size) {
  std::vector<double> values(samples.begin(), samples.end());
  std::ranges::sort(values);
  const double step = timer_step(values).value_or(0);
  if (!(step > 0) || step < kMinChangeRatio * values[values.size() / 2]) {
    return block_medians(samples, size);
  }
  std::ranges::copy(samples, values.begin());
  spread_steps(values, step);
  return block_medians(values, size);
}

// Standard deviation of values, from differences of values that are `lag` apart: steps are rare and
// don't change the median of the differences.
double deviation_at(std::span<const double> values, std::size_t lag) {
  std::vector<double> differences;
  differences.reserve(values.size());
  for (std::size_t i = lag; i < values.size(); ++i) {
    differences.push_back(values[i] - values[i - lag]);
  }
  const double center = median_of(differences);
  return robust_deviation(differences, center) / std::numbers::sqrt2;
}

// The standard deviation that a block's median must have for samples that depend on the one before
// (an autoregressive process). Such memory makes differences of neighbours small, while differences
// of steps and of independent samples are the same at every lag.
double remembered_deviation(std::span<const double> samples, std::size_t block_size) {
  constexpr std::size_t kFar = 16;
  constexpr double kMaxMemory = 0.97;  // closer to 1, memory can't be distinguished from a slope
  if (samples.size() <= 2 * kFar) return 0;
  const double near = deviation_at(samples, 1), far = deviation_at(samples, kFar);
  if (!(far > 0)) return 0;
  const double memory = std::clamp(1 - near * near / (far * far), 0.0, kMaxMemory);
  const auto size = static_cast<double>(block_size);
  const double left = 1 - memory;
  const double factor =
      (1 + memory) / left - 2 * memory * (1 - std::pow(memory, size)) / (size * left * left);
  constexpr double kOfMedian = 1.2533;  // √(π/2): a median is less certain than a mean
  return kOfMedian * far * std::sqrt(std::max(factor, 0.0) / size);
}

double block_deviation(std::span<const double> samples, std::span<const double> medians,
                       std::size_t block_size, double level) {
  // A tenth of the smallest reported change: times of a coarse timer may not differ at all.
  double deviation =
      std::max(level * kMinChangeRatio / 10, remembered_deviation(samples, block_size));
  for (const std::size_t lag : {1U, 2U, 4U}) {
    if (medians.size() < lag + 4) break;
    deviation = std::max(deviation, deviation_at(medians, lag));
  }
  return deviation;
}

// Clips outliers among the surrounding blocks.
std::vector<double> without_disturbances(std::span<const double> medians, double deviation) {
  std::vector<double> result(medians.begin(), medians.end());
  for (std::size_t i = 0; i < medians.size(); ++i) {
    const std::size_t first = i < kFilterReach ? 0 : i - kFilterReach;
    const std::size_t end = std::min(medians.size(), i + kFilterReach + 1);
    const double center = median_of({medians.begin() + static_cast<std::ptrdiff_t>(first),
                                     medians.begin() + static_cast<std::ptrdiff_t>(end)});
    result[i] = std::clamp(medians[i], center - kClip * deviation, center + kClip * deviation);
  }
  return result;
}

// Sums over ranges of values in O(1).
class RangeSums {
 public:
  explicit RangeSums(std::span<const double> values) {
    double sum = 0, squares = 0, product = 0;
    append(sum, squares, product);
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += values[i];
      squares += values[i] * values[i];
      product += values[i] * static_cast<double>(i);
      append(sum, squares, product);
    }
  }

  // Squared distance from the mean of [first, end).
  double step_cost(std::size_t first, std::size_t end) const {
    const double sum = sum_[end] - sum_[first];
    const double count = static_cast<double>(end - first);
    return std::max(0.0, squares_[end] - squares_[first] - sum * sum / count);
  }

  // Squared distance from the best line through [first, end).
  double line_cost(std::size_t first, std::size_t end) const {
    const double count = static_cast<double>(end - first);
    if (count < 3) return 0;
    const double middle = static_cast<double>(first) + (count - 1) / 2;
    const double spread = count * (count * count - 1) / 12;  // Σ (i − middle)²
    const double together = product_[end] - product_[first] - middle * (sum_[end] - sum_[first]);
    return std::max(0.0, step_cost(first, end) - together * together / spread);
  }

 private:
  void append(double sum, double squares, double product) {
    sum_.push_back(sum);
    squares_.push_back(squares);
    product_.push_back(product);
  }

  std::vector<double> sum_, squares_, product_;
};

// Starts of the segments that minimize the sum of costs and penalties.
std::vector<std::size_t> partition(const RangeSums& sums, std::size_t count, double penalty) {
  std::vector<double> best(count + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> start(count + 1, 0);
  best[0] = -penalty;
  for (std::size_t end = kMinBlocks; end <= count; ++end) {
    for (std::size_t first = 0; first + kMinBlocks <= end; ++first) {
      const double cost = best[first] + sums.step_cost(first, end) + penalty;
      if (cost < best[end]) {
        best[end] = cost;
        start[end] = first;
      }
    }
  }
  std::vector<std::size_t> starts;
  for (std::size_t end = count; end > 0; end = start[end]) starts.push_back(start[end]);
  std::ranges::reverse(starts);
  return starts;
}

// Phases of blocks; `median` is that of the blocks' medians.
std::vector<Phase> phases_of(std::span<const double> medians,
                             const std::vector<std::size_t>& starts) {
  std::vector<Phase> phases;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : medians.size();
    phases.push_back({.first = starts[i],
                      .end = end,
                      .median = median_of({medians.begin() + static_cast<std::ptrdiff_t>(starts[i]),
                                           medians.begin() + static_cast<std::ptrdiff_t>(end)})});
  }
  return phases;
}

double change_ratio(const Phase& a, const Phase& b) {
  return std::abs(b.median - a.median) / std::min(a.median, b.median);
}

// Joins neighbours that differ by less than is reported, the closest first.
void join_close(std::span<const double> medians, std::vector<Phase>& phases) {
  while (phases.size() > 1) {
    std::size_t closest = 1;
    for (std::size_t i = 2; i < phases.size(); ++i) {
      if (change_ratio(phases[i - 1], phases[i]) <
          change_ratio(phases[closest - 1], phases[closest])) {
        closest = i;
      }
    }
    if (change_ratio(phases[closest - 1], phases[closest]) >= kMinChangeRatio) return;
    Phase& joined = phases[closest - 1];
    joined.end = phases[closest].end;
    joined.median = median_of({medians.begin() + static_cast<std::ptrdiff_t>(joined.first),
                               medians.begin() + static_cast<std::ptrdiff_t>(joined.end)});
    phases.erase(phases.begin() + static_cast<std::ptrdiff_t>(closest));
  }
}

// Removes short phases that return to the level before.
std::vector<Phase> take_excursions(std::span<const double> medians, std::vector<Phase>& phases) {
  std::vector<Phase> excursions;
  const double least = kMinShare * static_cast<double>(medians.size());
  for (std::size_t i = 1; i + 1 < phases.size();) {
    const auto length = static_cast<double>(phases[i].end - phases[i].first);
    if (length >= least || change_ratio(phases[i - 1], phases[i + 1]) >= kMinChangeRatio) {
      ++i;
      continue;
    }
    excursions.push_back(phases[i]);
    Phase& joined = phases[i - 1];
    joined.end = phases[i + 1].end;
    joined.median = median_of({medians.begin() + static_cast<std::ptrdiff_t>(joined.first),
                               medians.begin() + static_cast<std::ptrdiff_t>(joined.end)});
    phases.erase(phases.begin() + static_cast<std::ptrdiff_t>(i),
                 phases.begin() + static_cast<std::ptrdiff_t>(i) + 2);
  }
  return excursions;
}

// Whether the level of phases[k] is outside of the levels after it.
bool is_transient(std::span<const Phase> phases, std::size_t k) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (std::size_t i = k + 1; i < phases.size(); ++i) {
    low = std::min(low, phases[i].median);
    high = std::max(high, phases[i].median);
  }
  return phases[k].median > high * (1 + kMinChangeRatio) ||
         phases[k].median < low * (1 - kMinChangeRatio);
}

// The sample where `before` changes to `after`, near `guess`: the split with the smallest distance
// to the two levels.
std::size_t exact_change(std::span<const double> samples, std::size_t guess, std::size_t reach,
                         std::size_t lowest, std::size_t highest, double before, double after) {
  const std::size_t first = std::max(lowest, guess > reach ? guess - reach : 0);
  const std::size_t end = std::min(highest, guess + reach);
  double balance = 0, least = 0;
  std::size_t best = first;
  for (std::size_t i = first; i < end; ++i) {
    balance += std::abs(samples[i] - before) - std::abs(samples[i] - after);
    if (balance < least) {
      least = balance;
      best = i + 1;
    }
  }
  return best;
}

}  // namespace

double median_of(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::ranges::nth_element(samples, middle);
  if (samples.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(samples.begin(), middle), *middle);
}

double robust_deviation(std::span<const double> samples, double center) {
  std::vector<double> distances;
  distances.reserve(samples.size());
  for (const double sample : samples) distances.push_back(std::abs(sample - center));
  return kMadToSigma * median_of(std::move(distances));
}

LevelShifts find_level_shifts(std::span<const double> samples) {
  const std::size_t size = block_size_of(samples.size());
  const std::vector<double> medians = smooth_block_medians(samples, size);
  const double level = median_of(medians);
  const double deviation = block_deviation(samples, medians, size, level);
  std::vector<double> values = without_disturbances(medians, deviation);
  for (double& value : values) value = (value - level) / deviation;
  const RangeSums sums(values);
  const double penalty = kPenalty * std::log(static_cast<double>(values.size()));
  std::vector<Phase> phases = phases_of(medians, partition(sums, values.size(), penalty));
  join_close(medians, phases);
  LevelShifts result;
  result.excursions = take_excursions(medians, phases);
  join_close(medians, phases);
  // Counts one phase after another as warm-up, until the rest has its level or is a slope.
  const auto is_slope_from = [&](std::size_t k) {
    if (k + 1 >= phases.size()) return false;
    double steps = 0;
    for (std::size_t i = k; i < phases.size(); ++i) {
      steps += sums.step_cost(phases[i].first, phases[i].end) + (i > k ? penalty : 0);
    }
    return sums.line_cost(phases[k].first, values.size()) + penalty / 2 < steps;
  };
  std::size_t k = 0;
  const auto most = static_cast<std::size_t>(kMaxWarmUpShare * static_cast<double>(values.size()));
  while (!(result.is_slope = is_slope_from(k)) && k + 1 < phases.size() && phases[k].end <= most &&
         is_transient(phases, k)) {
    ++k;
  }
  result.warm_up_phases = k;
  if (result.is_slope) {
    phases[k].end = phases.back().end;
    phases.resize(k + 1);
  }

  // From blocks to samples.
  for (Phase& excursion : result.excursions) {
    excursion.first *= size;
    excursion.end *= size;
  }
  const std::size_t reach = size + size / 2;
  std::vector<std::size_t> changes(phases.size() + 1, 0);
  for (std::size_t i = 1; i < phases.size(); ++i) {
    const std::size_t highest =
        (i + 1 < phases.size() ? phases[i].end * size : samples.size()) - size;
    changes[i] = exact_change(samples, phases[i].first * size, reach, changes[i - 1] + size,
                              highest, phases[i - 1].median, phases[i].median);
  }
  changes[phases.size()] = samples.size();
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const auto first = samples.begin() + static_cast<std::ptrdiff_t>(changes[i]);
    const auto end = samples.begin() + static_cast<std::ptrdiff_t>(changes[i + 1]);
    result.phases.push_back(
        {.first = changes[i], .end = changes[i + 1], .median = median_of({first, end})});
  }
  return result;
}

}  // namespace planex::analyze
