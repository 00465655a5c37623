#include "drive/openvino_driver/value_sums.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace planex::drive {
namespace {

constexpr std::int32_t kInfinityBits = 0x7F800000;
constexpr std::int32_t kMagnitudeBits = 0x7FFFFFFF;

// Integers in the order of the values: minima of integers become vector instructions, those of
// floats don't, because of NaN.
std::int32_t ordered(float value) {
  const auto bits = std::bit_cast<std::int32_t>(value);
  return bits ^ ((bits >> 31) & kMagnitudeBits);
}

float value_of(std::int32_t order) {
  return std::bit_cast<float>(order ^ ((order >> 31) & kMagnitudeBits));
}

struct Piece {
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  std::int32_t most = std::numeric_limits<std::int32_t>::min();
  std::int32_t zeros = 0;
};

// Short enough for a 32-bit count.
constexpr std::size_t kPieceValues = std::size_t{1} << 16;

Piece scan(std::span<const float> values) {
  Piece piece;
  for (const float value : values) {
    const std::int32_t order = ordered(value);
    piece.least = std::min(piece.least, order);
    piece.most = std::max(piece.most, order);
    piece.zeros += (std::bit_cast<std::int32_t>(value) & kMagnitudeBits) == 0 ? 1 : 0;
  }
  return piece;
}

}  // namespace

void RangeSums::add(std::span<const float> values) {
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  std::int32_t most = std::numeric_limits<std::int32_t>::min();
  bool has_finite = false;
  const auto widen = [&](std::int32_t low, std::int32_t high) {
    least = std::min(least, low);
    most = std::max(most, high);
    has_finite = true;
  };
  const std::int32_t infinity = ordered(std::numeric_limits<float>::infinity());
  const std::int32_t minus_infinity = ordered(-std::numeric_limits<float>::infinity());
  for (std::size_t start = 0; start < values.size(); start += kPieceValues) {
    const auto part = values.subspan(start, std::min(kPieceValues, values.size() - start));
    const Piece piece = scan(part);
    zero_ += piece.zeros;
    // NaN is beyond the infinities, on both sides.
    if (piece.most < infinity && piece.least > minus_infinity) {
      widen(piece.least, piece.most);
      continue;
    }
    for (const float value : part) {
      const std::int32_t magnitude = std::bit_cast<std::int32_t>(value) & kMagnitudeBits;
      if (magnitude > kInfinityBits) {
        ++nan_;
      } else if (magnitude == kInfinityBits) {
        ++inf_;
      } else {
        widen(ordered(value), ordered(value));
      }
    }
  }
  count_ += static_cast<std::int64_t>(values.size());
  if (!has_finite) {
    sample_max_abs_.push_back(std::numeric_limits<float>::quiet_NaN());
    return;
  }
  const float low = value_of(least), high = value_of(most);
  sample_max_abs_.push_back(std::max(std::abs(low), std::abs(high)));
  min_ = has_range_ ? std::min(min_, low) : low;
  max_ = has_range_ ? std::max(max_, high) : high;
  has_range_ = true;
}

float RangeSums::max_abs() const { return std::max(std::abs(min()), std::abs(max())); }

Histogram::Histogram(std::size_t bins, float max_abs)
    : bins_(bins),
      scale_(max_abs > 0 ? static_cast<double>(bins) / static_cast<double>(max_abs) : 0),
      counts_(2 * bins * kLanes) {}

void Histogram::add(std::span<const float> values) {
  const std::size_t last = bins_ - 1;
  std::size_t lane = 0;
  for (const float value : values) {
    const float magnitude = std::abs(value);
    // False for NaN, too.
    if (magnitude <= std::numeric_limits<float>::max()) {
      const auto bin = static_cast<std::size_t>(static_cast<double>(magnitude) * scale_);
      const std::size_t side = value < 0 ? 1 : 0;
      ++counts_[(2 * lane + side) * bins_ + std::min(bin, last)];
    }
    lane = (lane + 1) % kLanes;
  }
}

std::vector<std::uint64_t> Histogram::counts() const {
  std::vector<std::uint64_t> sums(bins_);
  for (std::size_t i = 0; i < counts_.size(); ++i) sums[i % bins_] += counts_[i];
  return sums;
}

std::vector<std::uint64_t> Histogram::negative_counts() const {
  std::vector<std::uint64_t> sums(bins_);
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (i / bins_ % 2 == 1) sums[i % bins_] += counts_[i];
  }
  return sums;
}

}  // namespace planex::drive
