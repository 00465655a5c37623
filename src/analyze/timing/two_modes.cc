#include "analyze/timing/two_modes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "analyze/timing/level_shifts.h"
#include "base/statistics.h"

namespace planex::analyze {
namespace {

// Fewer samples do not show two shapes.
constexpr std::size_t kMinPerShape = 60;
constexpr double kMinModeRatio = 0.1;
// The valley contains at most half of the lesser peak, by five standard errors of their counts.
constexpr double kMaxValleyRatio = 0.5;
constexpr double kMinDepth = 5.0;
// "Very strong" evidence after Kass & Raftery (1995).
constexpr double kMinBicGain = 10.0;
constexpr std::size_t kMaxModeBins = 1024;
// Fewer distinct values than this have no typical distance.
constexpr std::size_t kMinTicks = 8;
// Less than 2, since medians of modes are rounded.
constexpr double kMinTicksApart = 1.9;

// The median distance between neighbouring values, each with one sample; 0 where there are few
// values. Neighbours closer than `noise` are one: files round in several ways.
double tick_of(std::span<const double> sorted, double noise) {
  std::vector<double> steps;
  double value = sorted.front();
  std::size_t count = 0, distinct = 1;
  for (const double sample : sorted) {
    if (sample - value > noise) {
      steps.insert(steps.end(), count, sample - value);
      value = sample;
      count = 0;
      ++distinct;
    }
    ++count;
  }
  return distinct < kMinTicks ? 0 : median_of(std::move(steps));
}

// Counts per bin; each distinct value is spread over half the way to its neighbours, at most by
// `reach`, so that a timer's ticks leave no gaps.
std::vector<double> counts_in_bins(std::span<const double> sorted, double start, double width,
                                   std::size_t bin_count, double reach) {
  std::vector<double> bins(bin_count, 0);
  std::size_t first = 0;
  while (first < sorted.size()) {
    std::size_t end = first + 1;
    while (end < sorted.size() && sorted[end] == sorted[first]) ++end;
    const double value = sorted[first];
    const double left = first == 0 ? reach : std::min(reach, (value - sorted[first - 1]) / 2);
    const double right = end == sorted.size() ? reach : std::min(reach, (sorted[end] - value) / 2);
    const double low = (value - left - start) / width;
    const double high = std::max((value + right - start) / width, low + 1e-9);
    const double density = static_cast<double>(end - first) / (high - low);
    const double last_bin = static_cast<double>(bin_count - 1);
    const auto from = static_cast<std::size_t>(std::clamp(std::floor(low), 0.0, last_bin));
    const auto to = static_cast<std::size_t>(std::clamp(std::floor(high), 0.0, last_bin));
    for (std::size_t bin = from; bin <= to; ++bin) {
      const double bin_low = std::max(low, static_cast<double>(bin));
      const double bin_high = std::min(high, static_cast<double>(bin + 1));
      if (bin_high > bin_low) bins[bin] += density * (bin_high - bin_low);
    }
    first = end;
  }
  return bins;
}

std::vector<double> smoothed(const std::vector<double>& bins) {
  std::vector<double> result(bins.size());
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const double left = i == 0 ? 0 : bins[i - 1];
    const double right = i + 1 == bins.size() ? 0 : bins[i + 1];
    result[i] = (left + 2 * bins[i] + right) / 4;
  }
  return result;
}

struct Valley {
  std::size_t peak_a = 0, peak_b = 0, bottom = 0;
};

// Among all pairs of peaks that a valley separates by the criteria, the one whose lesser peak is
// largest.
std::optional<Valley> deepest_valley(const std::vector<double>& bins, double min_distance) {
  std::vector<std::size_t> peaks;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const bool rises = i == 0 || bins[i] > bins[i - 1];
    const bool falls = i + 1 == bins.size() || bins[i] >= bins[i + 1];
    if (rises && falls && bins[i] > 0) peaks.push_back(i);
  }
  std::optional<Valley> best;
  double best_height = 0;
  for (std::size_t a = 0; a < peaks.size(); ++a) {
    double bottom = bins[peaks[a]];
    std::size_t bottom_at = peaks[a];
    for (std::size_t b = a + 1; b < peaks.size(); ++b) {
      for (std::size_t i = peaks[b - 1]; i < peaks[b]; ++i) {
        if (bins[i] < bottom) {
          bottom = bins[i];
          bottom_at = i;
        }
      }
      const double lesser = std::min(bins[peaks[a]], bins[peaks[b]]);
      const double distance = static_cast<double>(peaks[b] - peaks[a]);
      if (distance < min_distance || bottom > kMaxValleyRatio * lesser) continue;
      // Smoothing by 1 2 1 leaves 3/8 of a count's variance.
      if (lesser - bottom < kMinDepth * std::sqrt((lesser + bottom) * 3 / 8)) continue;
      if (lesser > best_height) {
        best_height = lesser;
        // The middle of an empty valley.
        std::size_t bottom_end = bottom_at;
        while (bottom_end + 1 < peaks[b] && bins[bottom_end + 1] == bottom) ++bottom_end;
        best = Valley{peaks[a], peaks[b], std::midpoint(bottom_at, bottom_end)};
      }
    }
  }
  return best;
}

struct Normal {
  double count = 0, mean = 0, variance = 0;
};

Normal normal_of(std::span<const double> samples, double min_variance) {
  Normal normal{.count = static_cast<double>(samples.size())};
  for (const double sample : samples) normal.mean += sample / normal.count;
  for (const double sample : samples) {
    normal.variance += (sample - normal.mean) * (sample - normal.mean) / normal.count;
  }
  normal.variance = std::max(normal.variance, min_variance);
  return normal;
}

// −2 · log-likelihood of samples that belong to one of `total` by the normal's own shape.
double deviance(const Normal& normal, double total) {
  return normal.count * (std::log(2 * std::numbers::pi * normal.variance) + 1 -
                         2 * std::log(normal.count / total));
}

}  // namespace

std::optional<TwoModes> find_two_modes(std::span<const double> sorted, double timer_step) {
  if (sorted.size() < kMinPerShape) return std::nullopt;
  const double level = base::quantile(sorted, 0.5);
  const double min_distance = level * kMinChangeRatio;
  const double tick = std::max(timer_step, tick_of(sorted, min_distance / 6));
  // Neighbouring ticks are one value between them; modes have a tick between them.
  const double min_modes = std::max(min_distance, kMinTicksApart * timer_step);
  const double low = sorted.front(), high = sorted.back();
  const double quartiles = base::quantile(sorted, 0.75) - base::quantile(sorted, 0.25);
  // Half of Freedman & Diaconis (1981), since smoothing follows; no finer than ticks.
  double width = std::max(
      {quartiles / std::cbrt(static_cast<double>(sorted.size())), min_distance / 4, tick / 2});
  width = std::max(width, (high - low) / static_cast<double>(kMaxModeBins - 2));
  // Empty bins at both ends, for smoothing.
  const double start = low - 1.5 * width;
  const auto bin_count = static_cast<std::size_t>((high - low) / width) + 4;
  const double reach = std::max(min_distance / 2, tick * 0.75);
  const std::vector<double> bins = smoothed(counts_in_bins(sorted, start, width, bin_count, reach));
  const auto valley = deepest_valley(bins, std::max(min_modes, 2 * tick) / width);
  if (!valley) return std::nullopt;

  TwoModes modes;
  modes.split = start + (static_cast<double>(valley->bottom) + 0.5) * width;
  const auto above =
      static_cast<std::size_t>(std::ranges::upper_bound(sorted, modes.split) - sorted.begin());
  const auto n = static_cast<double>(sorted.size());
  modes.high_ratio = (n - static_cast<double>(above)) / n;
  if (std::min(modes.high_ratio, 1 - modes.high_ratio) < kMinModeRatio) return std::nullopt;
  modes.low = base::quantile(sorted.first(above), 0.5);
  modes.high = base::quantile(sorted.subspan(above), 0.5);
  if (modes.high - modes.low < min_modes) return std::nullopt;
  // A bin's own variance: identical values would fit infinitely well.
  const double min_variance = std::max(tick * tick, min_distance * min_distance / 16) / 12;
  const Normal both = normal_of(sorted, min_variance);
  const double one = deviance(both, n) + 2 * std::log(n);
  const double two = deviance(normal_of(sorted.first(above), min_variance), n) +
                     deviance(normal_of(sorted.subspan(above), min_variance), n) + 5 * std::log(n);
  modes.bic_gain = one - two;
  if (modes.bic_gain < kMinBicGain) return std::nullopt;
  return modes;
}

}  // namespace planex::analyze
