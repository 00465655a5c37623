#include "onnx/small_floats.h"

#include <bit>
#include <cmath>
#include <limits>

namespace planex::onnx {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Layout {
  int exponent_bits = 0;
  int mantissa_bits = 0;
  int bias = 0;
};

// Decodes codes that represent numbers.
float decoded(std::uint8_t bits, Layout layout) {
  const int mantissa = bits & ((1 << layout.mantissa_bits) - 1);
  const int exponent = (bits >> layout.mantissa_bits) & ((1 << layout.exponent_bits) - 1);
  const bool is_negative = ((bits >> (layout.mantissa_bits + layout.exponent_bits)) & 1) != 0;
  const int whole = exponent == 0 ? mantissa : mantissa | (1 << layout.mantissa_bits);
  const int power = (exponent == 0 ? 1 : exponent) - layout.bias - layout.mantissa_bits;
  const float size = std::ldexp(static_cast<float>(whole), power);
  return is_negative ? -size : size;
}

}  // namespace

float from_half(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  const std::uint32_t rest = (bits & 0x7FFFU) << 13;
  // As a float32 it is too small by a factor of 2^112, denormals too; infinity and NaN need all
  // exponent bits.
  const float scaled = std::bit_cast<float>(rest) * 0x1p112F;
  std::uint32_t whole = std::bit_cast<std::uint32_t>(scaled);
  if ((bits & 0x7C00U) == 0x7C00U) whole = rest | 0x7F80'0000U;
  return std::bit_cast<float>(whole | sign);
}

float from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::uint16_t to_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000U);
  const std::uint32_t size = bits & 0x7FFF'FFFFU;
  if (size > 0x7F80'0000U) return sign | 0x7E00U;
  // 65520 is half way to the value that would come next, and rounds to infinity.
  if (size >= std::bit_cast<std::uint32_t>(65520.0F)) return sign | 0x7C00U;
  if (size < std::bit_cast<std::uint32_t>(kSmallestNormalHalf)) {
    // Adding 0.5 leaves the multiples of 2^-24 in the last bits, rounded by the adder.
    const float sum = std::bit_cast<float>(size) + 0.5F;
    return sign | static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(sum) -
                                             std::bit_cast<std::uint32_t>(0.5F));
  }
  const std::uint32_t is_odd = (size >> 13) & 1U;
  const std::uint32_t rounded = size + 0xFFFU + is_odd;
  return sign | static_cast<std::uint16_t>((rounded >> 13) - (112U << 10));
}

std::uint16_t to_bfloat16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
  const std::uint32_t is_odd = (bits >> 16) & 1U;
  return static_cast<std::uint16_t>((bits + 0x7FFFU + is_odd) >> 16);
}

float round_to_float8(float value) {
  constexpr std::uint32_t kSign = 0x8000'0000U;
  constexpr std::uint32_t kLostBits = 20, kLost = (1U << kLostBits) - 1;
  constexpr float kSmallestNormal = 0x1p-6F;
  // After adding it, what is left are the multiples of 2^-9, which the smallest values are.
  constexpr float kShift = 0x1p14F;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t size = bits & ~kSign;
  const auto magnitude = std::bit_cast<float>(size);
  if (std::isnan(value)) return value;
  std::uint32_t rounded = (size + (kLost >> 1U) + ((size >> kLostBits) & 1U)) & ~kLost;
  if (magnitude < kSmallestNormal) {
    rounded = std::bit_cast<std::uint32_t>((magnitude + kShift) - kShift);
  }
  if (magnitude > kGreatestFloat8) rounded = std::bit_cast<std::uint32_t>(kGreatestFloat8);
  return std::bit_cast<float>(rounded | (bits & kSign));
}

std::uint8_t to_float8(float value) {
  constexpr std::uint8_t kNotANumber = 0x7F;
  const float rounded = round_to_float8(value);
  const auto bits = std::bit_cast<std::uint32_t>(rounded);
  const auto sign = static_cast<std::uint8_t>((bits >> 24U) & 0x80U);
  if (std::isnan(value)) return sign | kNotANumber;
  const float size = std::fabs(rounded);
  if (size < 0x1p-6F) return sign | static_cast<std::uint8_t>(size * 0x1p9F);
  // Three bits of the mantissa below an exponent whose bias is 7 instead of 127.
  const std::uint32_t code = ((bits & 0x7FFF'FFFFU) >> 20U) - ((127U - 7U) << 3U);
  return sign | static_cast<std::uint8_t>(code);
}

float from_small(DataType type, std::uint8_t bits) {
  const std::uint8_t size = bits & 0x7F;
  switch (type) {
    case DataType::kFloat8E4M3FN:
      return size == 0x7F ? kNan : decoded(bits, {4, 3, 7});
    case DataType::kFloat8E4M3FNUZ:
      return bits == 0x80 ? kNan : decoded(bits, {4, 3, 8});
    case DataType::kFloat8E5M2:
      if (size > 0x7C) return kNan;
      if (size == 0x7C) {
        const float infinity = std::numeric_limits<float>::infinity();
        return bits == size ? infinity : -infinity;
      }
      return decoded(bits, {5, 2, 15});
    case DataType::kFloat8E5M2FNUZ:
      return bits == 0x80 ? kNan : decoded(bits, {5, 2, 16});
    case DataType::kFloat4E2M1:
      return decoded(bits & 0xF, {2, 1, 1});
    case DataType::kFloat8E8M0:
      return bits == 0xFF ? kNan : std::ldexp(1.0F, bits - 127);
    default:
      return kNan;
  }
}

}  // namespace planex::onnx
