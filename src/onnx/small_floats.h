// Floats of 16 bits and fewer, to and from float32.
//
// Formats: IEEE 754 binary16, bfloat16; FP8 and FP4 as in ONNX's documents (E4M3FN and the "FNUZ"
// forms have no infinity, and other codes for NaN).
#pragma once

#include <cstdint>

#include "onnx/data_types.h"

namespace planex::onnx {

inline constexpr float kGreatestHalf = 65504;
inline constexpr float kSmallestNormalHalf = 0x1p-14F;
inline constexpr float kSmallestHalf = 0x1p-24F;
inline constexpr float kGreatestFloat8 = 448;  // of E4M3FN

float from_half(std::uint16_t bits);
float from_bfloat16(std::uint16_t bits);

// To the nearest, ties to even; values beyond the range become infinity.
std::uint16_t to_half(float value);
std::uint16_t to_bfloat16(float value);

// The nearest value of FLOAT8E4M3FN, ties to even; beyond the range the largest value, like
// QuantizeLinear with `saturate`. NaN stays NaN.
float round_to_float8(float value);
// Its code.
std::uint8_t to_float8(float value);

// One of the types of 8 or 4 bits (kFloat8..., kFloat4E2M1, kFloat8E8M0); NaN for other types.
float from_small(DataType type, std::uint8_t bits);

}  // namespace planex::onnx
