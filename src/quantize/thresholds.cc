#include "quantize/thresholds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/numbers.h"
#include "base/text.h"
#include "onnx/small_floats.h"

namespace planex::quantize {
namespace {

using base::format;

// For signed 8 bits: |x| has 128 levels, the largest is 127 scales.
constexpr std::size_t kKlLevels = 128;
constexpr int kMseSteps = 100;
// Candidates closer than this are equal: of two equal candidates the last is taken, and summing in
// another order must not decide which one that is.
constexpr double kTie = 1e-10;

constexpr std::array<std::pair<Method, std::string_view>, 4> kMethods = {{
    {Method::kMinMax, "minmax"},
    {Method::kPercentile, "percentile"},
    {Method::kKl, "kl"},
    {Method::kMse, "mse"},
}};

std::uint64_t total_of(const Histogram& histogram) {
  return std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::uint64_t{0});
}

double edge(const Histogram& histogram, std::size_t bins) {
  return static_cast<double>(bins) * histogram.range / static_cast<double>(histogram.counts.size());
}

double center(const Histogram& histogram, std::size_t bin) {
  return (static_cast<double>(bin) + 0.5) * histogram.range /
         static_cast<double>(histogram.counts.size());
}

double percentile_threshold(const Histogram& histogram, std::uint64_t total, double percent) {
  std::uint64_t below = 0;
  for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
    below += histogram.counts[bin];
    if (static_cast<double>(below) * 100 >= percent * static_cast<double>(total)) {
      return edge(histogram, bin + 1);
    }
  }
  return histogram.range;
}

// Prefix sums over the bins, so that the sum of any run of bins is a difference.
struct KlSums {
  explicit KlSums(const Histogram& histogram)
      : counts(histogram.counts.begin(), histogram.counts.end()) {
    // Zeros of a ReLU would dominate the distribution: bin 0 counts as much as its neighbor.
    counts[0] = counts[1];
    values.push_back(0);
    filled.push_back(0);
    logs.push_back(0);
    for (const double count : counts) {
      values.push_back(values.back() + count);
      filled.push_back(filled.back() + (count > 0 ? 1 : 0));
      logs.push_back(logs.back() + (count > 0 ? count * std::log(count) : 0));
    }
  }

  std::vector<double> counts;
  std::vector<double> values;         // sum of counts
  std::vector<std::uint32_t> filled;  // bins with values
  std::vector<double> logs;           // sum of count * log(count)
};

// Kullback-Leibler divergence of the first `kept` bins, with the tail in the last one, from the
// same bins at 128 levels. With h the bins, T all values and K those kept:
//   sum p log(p / q) = (sum h log h - sum h log level) / T - log T + log K
double divergence(const KlSums& sums, std::size_t kept) {
  const double all = sums.values.back();
  const double inside = sums.values[kept];
  const double tail = all - inside;
  const double last = sums.counts[kept - 1];
  // The tail falls into a bin that the levels leave empty.
  if (inside == 0 || (last == 0 && tail > 0)) return std::numeric_limits<double>::infinity();
  double sum = sums.logs[kept];
  if (last > 0) sum += (last + tail) * std::log(last + tail) - last * std::log(last);
  std::size_t first = 0;
  for (std::size_t level = 0; level < kKlLevels; ++level) {
    const std::size_t end = ((level + 1) * kept + kKlLevels - 1) / kKlLevels;
    const std::uint32_t filled = sums.filled[end] - sums.filled[first];
    if (filled > 0) {
      const double values = sums.values[end] - sums.values[first];
      const double held = values + (end == kept ? tail : 0);
      sum -= held * std::log(values / filled);
    }
    first = end;
  }
  return sum / all - std::log(all) + std::log(inside);
}

double kl_threshold(const Histogram& histogram) {
  const std::size_t bins = histogram.counts.size();
  if (bins <= kKlLevels) return histogram.range;
  const KlSums sums(histogram);
  if (sums.values.back() == 0) return histogram.range;
  std::vector<double> found;
  found.reserve(bins - kKlLevels + 1);
  for (std::size_t kept = kKlLevels; kept <= bins; ++kept) {
    found.push_back(divergence(sums, kept));
  }
  const double least = *std::ranges::min_element(found);
  if (!std::isfinite(least)) return histogram.range;
  std::size_t last = found.size() - 1;
  while (found[last] > least + kTie) --last;
  return edge(histogram, kKlLevels + last);
}

std::uint64_t negative_count(const Histogram& histogram, std::size_t bin) {
  return bin < histogram.negative_counts.size() ? histogram.negative_counts[bin] : 0;
}

// Rounds halves to even, as QuantizeLinear does.
double rounded(double steps, bool is_float8) {
  return is_float8 ? static_cast<double>(onnx::round_to_float8(static_cast<float>(steps)))
                   : std::nearbyint(steps);
}

// For a value, as far as `end` levels reach on its side.
double rounding_error(double value, const Levels& levels, double end) {
  const double scale = levels.scale;
  const double level = scale > 0 ? std::min(rounded(value / scale, levels.is_float8), end) : 0.0;
  return value - level * scale;
}

// Sum of the squared errors of the bins' centers.
double squared_error(const Histogram& histogram, const Levels& levels) {
  double sum = 0;
  for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
    if (histogram.counts[bin] == 0) continue;
    const double value = center(histogram, bin);
    const std::uint64_t below = negative_count(histogram, bin);
    const double above_error = rounding_error(value, levels, levels.highest);
    sum += static_cast<double>(histogram.counts[bin] - below) * above_error * above_error;
    if (below == 0) continue;
    const double below_error = rounding_error(value, levels, -levels.lowest);
    sum += static_cast<double>(below) * below_error * below_error;
  }
  return sum;
}

// `levels`: of a threshold.
template <typename LevelsOf>
double mse_threshold(const Histogram& histogram, const LevelsOf& levels) {
  double best = histogram.range;
  double least = squared_error(histogram, levels(best));
  // Downwards, so that the largest of equal ones stays.
  for (int step = kMseSteps - 1; step >= 1; --step) {
    const double candidate = histogram.range * step / kMseSteps;
    const double error = squared_error(histogram, levels(candidate));
    if (error < least * (1 - kTie)) {
      least = error;
      best = candidate;
    }
  }
  return best;
}

}  // namespace

float signed_scale(double threshold) {
  const double covered = threshold > 0 ? threshold : 1;
  return std::max(static_cast<float>(covered / kSignedSteps), std::numeric_limits<float>::min());
}

Result<MethodOptions> parse_method(std::string_view text) {
  std::string_view rest = text;
  const bool has_number = text.find(':') != std::string_view::npos;
  const std::string_view name = base::take_part(rest, ':');
  for (const auto& [method, known] : kMethods) {
    if (known != name) continue;
    MethodOptions options{.method = method};
    if (!has_number) return options;
    if (method != Method::kPercentile) break;
    const auto percentile = base::number_in<double>(rest);
    if (percentile && *percentile > 0 && *percentile <= 100) {
      options.percentile = *percentile;
      return options;
    }
    return fail(ErrorCode::kUsage, format("not a percentile: {}", base::quoted(rest)),
                "use a number above 0 and up to 100: percentile:99.99");
  }
  return fail(ErrorCode::kUsage, format("unknown threshold method: {}", base::quoted(text)),
              "use minmax, percentile:99.99, kl or mse");
}

std::string to_string(const MethodOptions& method) {
  const std::string_view name = kMethods[static_cast<std::size_t>(method.method)].second;
  return method.method == Method::kPercentile ? format("{}:{}", name, method.percentile)
                                              : std::string(name);
}

Levels levels_of(Encoding encoding, double min, double max, double threshold) {
  if (encoding == Encoding::kFloat8) {
    constexpr int kEnd = static_cast<int>(kFloat8Steps);
    return {.scale = threshold / kFloat8Steps, .lowest = -kEnd, .highest = kEnd, .is_float8 = true};
  }
  const Levels is_symmetric{.scale = threshold / kSignedSteps};
  if (encoding != Encoding::kShifted) return is_symmetric;
  constexpr int kSteps = 255;
  const double low = std::clamp(min, -threshold, 0.0);
  const double high = std::clamp(max, 0.0, threshold);
  const double scale = (high - low) / kSteps;
  if (!(scale > 0)) return is_symmetric;
  const int zero_point = std::clamp(static_cast<int>(std::nearbyint(-low / scale)), 0, kSteps);
  return {.scale = scale, .lowest = -zero_point, .highest = kSteps - zero_point};
}

double threshold(const Histogram& histogram, const MethodOptions& method) {
  return threshold(histogram, method, Encoding::kSigned, -histogram.range, histogram.range);
}

double threshold(const Histogram& histogram, const MethodOptions& method, Encoding encoding,
                 double min, double max) {
  const std::uint64_t total = total_of(histogram);
  if (total == 0 || !(histogram.range > 0)) return 0;
  switch (method.method) {
    case Method::kMinMax:
      return histogram.range;
    case Method::kPercentile:
      return percentile_threshold(histogram, total, method.percentile);
    case Method::kKl:
      return kl_threshold(histogram);
    case Method::kMse:
      return mse_threshold(
          histogram, [&](double candidate) { return levels_of(encoding, min, max, candidate); });
  }
  return histogram.range;
}

Judgement judge(const Histogram& histogram, double threshold) {
  return judge(histogram, levels_of(Encoding::kSigned, 0, 0, threshold));
}

Judgement judge(const Histogram& histogram, const Levels& levels) {
  Judgement judgement;
  const std::uint64_t total = total_of(histogram);
  if (total == 0) return judgement;
  std::uint64_t clipped = 0;
  double signal = 0;
  for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
    const double value = center(histogram, bin);
    const std::uint64_t below = negative_count(histogram, bin);
    if (value > levels.highest * levels.scale) clipped += histogram.counts[bin] - below;
    if (value > -levels.lowest * levels.scale) clipped += below;
    signal += static_cast<double>(histogram.counts[bin]) * value * value;
  }
  judgement.clipped_ratio = static_cast<double>(clipped) / static_cast<double>(total);
  const double noise = squared_error(histogram, levels);
  if (signal > 0 && noise > 0) judgement.sqnr_db = 10 * std::log10(signal / noise);
  return judgement;
}

}  // namespace planex::quantize
