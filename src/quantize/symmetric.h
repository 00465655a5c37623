// Quantization as TensorRT's parsers accept it: int8 around 0, and biases in float.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "onnx/edit.h"
#include "onnx/model.h"
#include "onnx/values.h"
#include "planex/error.h"
#include "quantize/existing.h"

namespace planex::quantize {

// Whether its numbers are int8 or FP8 with zero point 0.
bool is_symmetric(const ExistingScale& scale);

// The factor by which each scale grows so that int8 around 0 covers what uint8, or int8 around
// another point, covers: max(-low / 128, high / 127), at least 1. Exactly 1 from uint8 around 128:
// the same values.
std::vector<double> symmetric_factors(const ExistingScale& scale);

// As raw float32 values, with their factors. The scale's values must be known (`bits`).
std::string symmetric_scales(const ExistingScale& scale);

struct SymmetricWeight {
  onnx::NewTensor integers, scale, zero_point;  // without names
};
// Values that int8 around 0 can't represent are rounded with a larger scale, the same for all
// values of a channel. Null where the scales are unknown, or are neither one nor one per channel.
Result<std::optional<SymmetricWeight>> symmetric_weight(const onnx::Model& model,
                                                        const ExistingWeight& weight,
                                                        onnx::Values& values);

// INT32 values times their scales, as float32, without a name. Null as above, and for other types.
Result<std::optional<onnx::NewTensor>> float_bias(const onnx::Model& model,
                                                  const ExistingWeight& weight,
                                                  onnx::Values& values);

}  // namespace planex::quantize
