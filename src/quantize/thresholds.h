// From the histogram of a tensor's values to the range that its scale covers.
//
// All methods see the histogram of |x| only; n is its number of bins, w = range / n a bin's width.
//
// minmax      range.
// percentile  w * (i + 1) for the first i with at least p % of the values in bins 0 to i.
// kl          w * i for the i in 128 to n with the least KL(P || Q): P is bins 0 to i - 1 with all
//             others added to the last; Q is the same bins, without the others, at 128 levels of
//             equal width (bin j in level floor(128 j / i)), each spread evenly over its bins that
//             have values. Where Q is 0 and P is not, it is infinite. Bin 0 counts as bin 1 does,
//             as in NVIDIA's pytorch-quantization, since the zeros of a ReLU would rule otherwise;
//             no smoothing; all i are tried. 128 bins or less: range.
// mse         range * k / 100 for the k in 1 to 100 with the least sum of count * (c - q(c))^2 over
//             the bins' centers c; q rounds halves to even and stops at 127 scales.
//
// Of equal candidates (nearer than 1e-10) the largest is taken. The same in NumPy:
// tests/quantize/thresholds_reference.py.
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

// Share of the values in bins whose center is beyond the threshold, and the SQNR in dB of the bins'
// centers under signed 8-bit quantization with it; null without signal, or without any error.
struct Judgement {
  double clipped_ratio = 0;
  std::optional<double> sqnr_db;
};
Judgement judge(const Histogram& histogram, double threshold);

}  // namespace planex::quantize

#endif  // PLANEX_QUANTIZE_THRESHOLDS_H_
