// Names of layers and operations without the numbers that a compiler or exporter counted up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace planex::analyze::matching {

// "a/conv_myl0_17" -> "a/conv_myl", "__mye123_hc_init_myl0_0" -> "__mye_hc_init_myl", "(Unnamed
// Layer* 307) [Shuffle]" -> "(Unnamed Layer*) [Shuffle]". Returns whether an exporter numbered a
// part of the rest (see counted_name).
bool clean_name(std::string_view name, std::string& cleaned);

// The model's name for what ONNX Runtime names after an output or a fusion:
// "/conv1/Conv_output_0_nchwc" -> "/conv1/Conv", "/fc/MatMul/MatMulAddFusion" -> "/fc/MatMul",
// "fused /conv1/Conv" -> "/conv1/Conv", "stem_token_70" -> "stem", "convs2_quant" -> "convs2",
// "l0.c1.relu_out_nchwc" -> "l0.c1". A part of `name`; other names are returned unchanged.
std::string_view name_before_fusion(std::string_view name);

// "Conv_34", "Multiply_9331", "Conv__435": a word and a number that counts all operations of a
// model, which says nothing about another model.
struct CountedName {
  std::string_view word;
  std::uint64_t number = 0;
};
std::optional<CountedName> counted_name(std::string_view name);

// A Myelin kernel that only moves and converts, as far as its name says:
// "__myl_ReshTranMove_myl0_3".
bool is_moving_kernel(std::string_view name);

// Whether the operation is a convolution, a matrix product, or their weights, by its type or else
// its name: the main purpose of a layer.
bool names_product(std::string_view operation, std::string_view type);

// The same for quantization, casts, transposes and similar operations, which compilers move around.
bool names_movement(std::string_view operation, std::string_view type);

}  // namespace planex::analyze::matching
