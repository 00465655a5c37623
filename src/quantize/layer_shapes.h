// What the shape of a weight says about a layer: which axis its channels are on, and whether it is
// too small.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "quantize/flow.h"

namespace planex::quantize {

// `place`: the input that is the weight; `dims`: its dimensions.

// The channel axis of the weight; null where its rank has none.
std::optional<int> channel_axis(const Flow& flow, onnx::Index node, std::uint32_t place,
                                std::span<const std::int64_t> dims);

// Placement rules small-convolution, and narrow-convolution.
bool is_small_convolution(const Flow& flow, onnx::Index node, std::span<const std::int64_t> dims);
bool is_small_in_fp8(std::span<const std::int64_t> dims);
std::int64_t kernel_size(std::span<const std::int64_t> dims);

// One row or one column, as far as weight and declared shape show.
bool is_vector_product(const Flow& flow, onnx::Index node, std::uint32_t place,
                       std::span<const std::int64_t> dims);

}  // namespace planex::quantize
