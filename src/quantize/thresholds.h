// From the histogram of a tensor's values to the range that its scale covers.
//
// Definitions: docs/reference/calibration.md; NVIDIA's and others' variants are told apart there.
#ifndef PLANEX_QUANTIZE_THRESHOLDS_H_
#define PLANEX_QUANTIZE_THRESHOLDS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"

namespace planex::quantize {

inline constexpr int kHistogramBins = 2048;

// Counts of |x|: bin i is [i, i + 1) * range / counts.size(); the last holds |x| = range, too.
struct Histogram {
  double range = 0;  // largest |x|; 0: all values are 0
  std::vector<std::uint64_t> counts;
};

enum class Method : std::uint8_t { kMinMax, kPercentile, kKl, kMse };

struct MethodOptions {
  Method method = Method::kMse;
  double percentile = 99.99;  // kPercentile
};

// "minmax", "percentile:99.99", "kl", "mse". Errors: kUsage.
Result<MethodOptions> parse_method(std::string_view text);
std::string to_string(const MethodOptions& method);

// Largest |x| that the scale covers: threshold / 127 is the scale of signed 8 bits.
// 0 where all values are 0. Deterministic; ties go as the reference says.
// Cost: O(bins) minmax, percentile; O(bins * steps) mse; O(bins^2) kl with 2048 bins, < 10 ms.
double threshold(const Histogram& histogram, const MethodOptions& method);

// Share of the values beyond the threshold, and the SQNR in dB of the histogram's bin centers under
// signed 8-bit quantization with it; null without signal.
struct Judgement {
  double clipped_ratio = 0;
  std::optional<double> sqnr_db;
};
Judgement judge(const Histogram& histogram, double threshold);

}  // namespace planex::quantize

#endif  // PLANEX_QUANTIZE_THRESHOLDS_H_
