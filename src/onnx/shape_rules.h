// How operators compute shapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "onnx/model.h"

namespace planex::onnx {

using ShapeDims = std::vector<std::int64_t>;

// An element of a list of sizes that is unknown: -1 has a meaning for Reshape.
inline constexpr std::int64_t kUnknownElement = std::numeric_limits<std::int64_t>::min();

// Longer lists are data, not sizes.
inline constexpr std::size_t kMaxListElements = 64;

// What a rule can query about a node's inputs.
struct NodeShapes {
  const Model& model;
  const Node& node;
  // Dims of an input; null where even their number is unknown, or the input is left out.
  std::function<std::optional<ShapeDims>(std::size_t)> input;
  // Its elements where it is a short list of integers, or one integer.
  std::function<std::optional<ShapeDims>(std::size_t)> elements;
  // The same for a short list of floats.
  std::function<std::optional<std::vector<float>>(std::size_t)> floats;
};

// The dims of each output, in their order; fewer, or null ones, where they are unknown.
std::vector<std::optional<ShapeDims>> output_shapes(const NodeShapes& shapes);

// The elements of the first output, where the node computes with lists of sizes.
std::optional<ShapeDims> output_elements(const NodeShapes& shapes);

}  // namespace planex::onnx
