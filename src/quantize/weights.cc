#include "quantize/weights.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "onnx/small_floats.h"

namespace planex::quantize {
namespace {

using onnx::DataType;

// Scales are divisors, and engines flush denormals to 0. What a larger scale loses is less than
// anything that a channel with such weights contributes.
float smallest_scale(DataType type) {
  return type == DataType::kFloat16 ? onnx::kSmallestNormalHalf : std::numeric_limits<float>::min();
}
// For a group of zeros only, which every scale fits: one that is still a normal number when scales
// are converted to half.
constexpr float kScaleOfNothing = onnx::kSmallestNormalHalf;

float greatest_of(NumberFormat kind, int bits) {
  switch (kind) {
    case NumberFormat::kInt8:
      return static_cast<float>((1 << (bits - 1)) - 1);
    case NumberFormat::kFp8:
      return onnx::kGreatestFloat8;
    case NumberFormat::kInt4:
      return 7;
  }
  return 1;
}

// Two 4-bit numbers per byte, the first in the low half; the last byte of an odd count has 0 in its
// high half.
class Packer {
 public:
  Packer(NumberFormat kind, std::size_t count) : format_(kind) { bytes_.reserve(count); }

  void add(float level) {
    switch (format_) {
      case NumberFormat::kInt8:
        bytes_ += static_cast<char>(static_cast<std::int8_t>(level));
        return;
      case NumberFormat::kFp8:
        bytes_ += static_cast<char>(onnx::to_float8(level));
        return;
      case NumberFormat::kInt4: {
        constexpr unsigned kNibble = 0xF, kNibbleBits = 4;
        const unsigned code = static_cast<unsigned>(static_cast<int>(level)) & kNibble;
        if (is_low_) {
          bytes_ += static_cast<char>(code);
        } else {
          bytes_.back() =
              static_cast<char>(static_cast<unsigned char>(bytes_.back()) | (code << kNibbleBits));
        }
        is_low_ = !is_low_;
        return;
      }
    }
  }
  std::string take() { return std::move(bytes_); }

 private:
  NumberFormat format_;
  bool is_low_ = true;
  std::string bytes_;
};

}  // namespace

DataType stored_type(NumberFormat kind) {
  switch (kind) {
    case NumberFormat::kInt8:
      return DataType::kInt8;
    case NumberFormat::kFp8:
      return DataType::kFloat8E4M3FN;
    case NumberFormat::kInt4:
      return DataType::kInt4;
  }
  return DataType::kUndefined;
}

float storable_scale(float scale, DataType type) {
  scale = std::max(scale, smallest_scale(type));
  if (type == DataType::kFloat16) {
    return onnx::from_half(onnx::to_half(std::min(scale, onnx::kGreatestHalf)));
  }
  return type == DataType::kBfloat16 ? onnx::from_bfloat16(onnx::to_bfloat16(scale)) : scale;
}

QuantizedNumbers quantize_numbers(std::span<const float> numbers, const ScaleGroups& groups,
                                  NumberFormat kind, int bits, DataType scale_type) {
  std::vector<float> peaks(groups.count(numbers.size()), 0.0F);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    float& peak = peaks[groups.of(i)];
    peak = std::max(peak, std::fabs(numbers[i]));
  }
  const float greatest = greatest_of(kind, bits);
  QuantizedNumbers result;
  for (const float peak : peaks) {
    result.scales.push_back(
        storable_scale(peak == 0 ? kScaleOfNothing : peak / greatest, scale_type));
  }
  double signal = 0, noise = 0;
  Packer packer(kind, numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const float scale = result.scales[groups.of(i)];
    const float steps = numbers[i] / scale;
    // To the nearest, ties to even, as QuantizeLinear does it.
    const float level =
        kind == NumberFormat::kFp8 ? onnx::round_to_float8(steps) : std::nearbyint(steps);
    const float kept = std::clamp(level, -greatest, greatest);
    packer.add(kept);
    const double error = static_cast<double>(numbers[i]) - static_cast<double>(kept * scale);
    signal += static_cast<double>(numbers[i]) * static_cast<double>(numbers[i]);
    noise += error * error;
  }
  result.bytes = packer.take();
  if (signal > 0 && noise > 0) result.sqnr_db = 10 * std::log10(signal / noise);
  return result;
}

}  // namespace planex::quantize
