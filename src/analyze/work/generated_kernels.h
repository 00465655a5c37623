// What the names of generated kernels reveal: Myelin's contain a word for each operation,
// __myl_MaxrSubExpSumDiv_myl0_7.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

// The words; nothing where it is not such a name. The views are into `layer_name`.
std::optional<std::vector<std::string_view>> kernel_words(std::string_view layer_name);

// What such a kernel does, in one word: attention, matrix product, convolution, normalization,
// softmax, reduction, quantization, pointwise, data movement. Empty where the name does not show
// it.
std::string_view generated_kind(std::string_view layer_name);

// Adds it to the types of layers that are called kgen, whatever they do: "softmax (kgen)".
// layers.raw_type keeps the file's type.
void complete_generated_types(model::PlanModel& model);

// A kernel that is fused around one product (runtime_fusion) is counted with the products: its
// family is that of a convolution or matrix product, its type says which: "convolution
// (runtime_fusion)". By the operations that it stems from, else by its name. One that contains
// several kinds, or none, stays opaque.
void complete_fused_products(model::PlanModel& model);

}  // namespace planex::analyze
