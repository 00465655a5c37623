// What can be derived from the shapes of a layer's tensors, if nothing else says it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace planex::ingest::openvino {

using Dims = std::span<const std::int64_t>;

// Multiply-accumulates of one inference, by OpenVINO's layer type:
//   Convolution      Π(out) · Π(weights without [O], or [G, O/G] where they have an axis more)
//   Deconvolution    the same with the data instead of the output
//   FullyConnected   Π(out) · last axis of the data
//   MatMul           Π(out) · K; the data are M by K or, transposed, K by M
// `data` is the first input, `weights` the second. Nothing for other types, for dynamic dimensions,
// or if the shapes don't fit.
std::optional<std::int64_t> macs_from_shapes(std::string_view layer_type, Dims data, Dims weights,
                                             Dims out);

// Whether two memory orders written as axis letters ("acdb") are equivalent for a tensor of these
// dimensions: axes of length 1 don't count.
bool is_same_order(std::string_view from, std::string_view to, Dims dims);

}  // namespace planex::ingest::openvino
