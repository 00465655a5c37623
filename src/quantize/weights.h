// Rounds the numbers of a weight to fewer bits, symmetric, with a scale for each channel or block.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "onnx/data_types.h"
#include "quantize/placement_rules.h"

namespace planex::quantize {

// Which numbers share a scale: the weight is [outer, channels, inner] with one scale per channel,
// or [outer, blocks, block, inner] with one scale per `block` numbers that are `inner` apart.
struct ScaleGroups {
  std::size_t channels = 1, inner = 1;
  std::size_t block = 0;  // 0: channels count

  std::size_t count(std::size_t elements) const { return block == 0 ? channels : elements / block; }
  std::size_t of(std::size_t element) const {
    if (block == 0) return element / inner % channels;
    return element / (block * inner) * inner + element % inner;
  }
};

struct QuantizedNumbers {
  std::vector<float> scales;
  std::string bytes;              // as TensorProto.raw_data of stored_type()
  std::optional<double> sqnr_db;  // null: without signal, or without error
};

// Type of the initializer that holds the numbers.
onnx::DataType stored_type(NumberFormat format);

// The scale as a float of this type can represent it: a normal number that is not 0.
float storable_scale(float scale, onnx::DataType type);

// `bits`: for whole numbers, 8 or 7 for kInt8; others have their own. Scales are the largest number
// of their group / 127 (63, 7 for INT4, 448 for FP8), as `scale_type` can represent it. A group of
// zeros gets a scale that is a normal number in half, too. Cost: O(numbers).
QuantizedNumbers quantize_numbers(std::span<const float> numbers, const ScaleGroups& groups,
                                  NumberFormat format, int bits, onnx::DataType scale_type);

}  // namespace planex::quantize
