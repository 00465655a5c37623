// Computes the range that a tensor's scale covers from the histogram of its values.
//
// All methods use the histogram of |x|, mse also which values are below 0; n is its number of bins,
// w = range / n a bin's width.
//
// minmax      range.
// percentile  w * (i + 1) for the first i with at least p % of the values in bins 0 to i.
// kl          w * i for the i in 128 to n with the least KL(P || Q): P is bins 0 to i - 1 with all
//             others added to the last; Q is the same bins, without the others, at 128 levels of
//             equal width (bin j in level floor(128 j / i)), each spread evenly over its bins that
//             have values. Where Q is 0 and P is not, it is infinite. Bin 0 counts as bin 1 does,
//             as in NVIDIA's pytorch-quantization, since the zeros of a ReLU would dominate
//             otherwise;
//             no smoothing; all i are tried. 128 bins or less: range.
// mse         range * k / 100 for the k in 1 to 100 with the least sum of count * (c - q(c))^2 over
//             the bins' centers c; q rounds halves to even and stops at the outermost levels: 127
//             scales of int8, 448 of FP8, or those that levels_of() gives uint8 for this threshold.
//
// Of equal candidates (nearer than 1e-10) the largest is taken. The same in NumPy:
// tests/quantize/thresholds_reference.py.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"

namespace planex::quantize {

inline constexpr int kHistogramBins = 2048;

// Counts of |x|: bin i is [i, i + 1) * range / counts.size(); the last also contains |x| = range.
struct Histogram {
  double range = 0;  // largest |x|; 0: all values are 0
  std::vector<std::uint64_t> counts;
  std::vector<std::uint64_t> negative_counts;  // of these x < 0; empty: none, or unknown
};

// How a value becomes an 8-bit number.
enum class Encoding : std::uint8_t {
  kSigned,   // int8 with zero point 0
  kMiddle,   // uint8 with zero point 128: the values of kSigned
  kShifted,  // uint8 with the zero point for its range: 0 where no value is below 0
  kFloat8    // FP8 (E4M3): steps grow with the value
};

// For FP8: the largest value is this many scales.
inline constexpr double kFloat8Steps = 448;
// For signed 8 bits with zero point 0: the largest value is this many scales.
inline constexpr double kSignedSteps = 127;
// The scale of signed 8 bits that covers |x| up to `threshold`; where that is 0, up to 1.
// Never 0, which a scale must not be.
float signed_scale(double threshold);

// The values that are rounded to: whole numbers of scales, or with is_float8 some of these, from
// `lowest` (not above 0) to `highest`.
struct Levels {
  double scale = 0;
  int lowest = -127, highest = 127;
  bool is_float8 = false;  // FP8 values instead
};

// kSigned, kMiddle: scale = threshold / 127. kFloat8: threshold / 448. kShifted: the range
// [max(min, -threshold), min(max, threshold)], widened to include 0, in 255 steps; -lowest is the
// zero point, rounded to the nearest, so either end can be missed by half a step. `min`, `max`: of
// the values.
Levels levels_of(Encoding encoding, double min, double max, double threshold);

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
// The same where values from `min` to `max` get this encoding: mse uses the error of these levels.
double threshold(const Histogram& histogram, const MethodOptions& method, Encoding encoding,
                 double min, double max);

// Share of the values in bins whose center is beyond the outermost levels, and the SQNR in dB of
// the bins' centers when they are rounded to levels; null without signal, or without any error.
struct Judgement {
  double clipped_ratio = 0;
  std::optional<double> sqnr_db;
};
Judgement judge(const Histogram& histogram, const Levels& levels);
// For signed 8 bits.
Judgement judge(const Histogram& histogram, double threshold);

}  // namespace planex::quantize
