// How well the median of a series with serial dependence is known.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace planex::analyze {

struct MedianInterval {
  double median = 0;
  // Interpolated between the steps of a coarse timer, else the median.
  double located = 0;
  double low = 0, high = 0;
  std::size_t block_length = 1;
  // 0.25 ÷ the variance of the share of samples below the median.
  double effective_count = 0;
  // The distance to the next occurring value, where values come in steps: half of them or more are
  // repetitions.
  std::optional<double> step;
};

// The interval is Woodruff's (1952): that of the share of samples below the median, turned into
// values by the samples' own quantiles. The share is a mean, so a circular block bootstrap (Politis
// & Romano 1992) resamples it by sums of blocks; the length of blocks is that of Politis & White
// (2004), corrected by Patton, Politis & White (2009). Quantiles of the bootstrap are stretched by
// Student's t for the number of blocks, and half a step is added on either side. Of a timer whose
// steps are coarse (kMinChangeRatio of the median) samples are spread over their steps first, as
// in grouped data; what rounding may then still hide is half a step only where samples spread
// by much less than one.
// Shapes: samples[n] in the order in which they were taken, finite; n ≥ 1. Below kMinForInterval
// the interval is [least, greatest].
// Deterministic: draws are those of std::mt19937_64, which the standard fixes, from a fixed seed.
// Cost: O(n log n), and at most kBootstrapDraws · kMaxBlocksDrawn draws.
inline constexpr std::size_t kMinForInterval = 10;
inline constexpr std::size_t kBootstrapDraws = 1000;
inline constexpr std::size_t kMaxBlocksDrawn = 128;
// Blocks have at least `min_block` samples, subject to the bound below.
MedianInterval median_interval(std::span<const double> samples, double confidence,
                               std::size_t min_block = 1);

// The length of blocks for the mean of a series: at least 1, at most an eighth of it.
// Cost: O(n).
std::size_t block_length_of(std::span<const double> values);

}  // namespace planex::analyze
