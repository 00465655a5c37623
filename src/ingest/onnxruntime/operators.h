// ONNX Runtime's operators and types in the model's words.
#pragma once

#include <cstddef>
#include <string_view>

#include "model/types.h"

namespace planex::ingest::onnxruntime {

// "float" -> kFp32, "Int4x2" (two in a byte) -> kInt4; kNull for texts and what is not known.
model::DType dtype_of(std::string_view word);

// Inputs that an operator has at least when its weights are listed; 0 where its kernels never pack
// them. A kernel that packs its weights when the model is loaded drops them from the trace.
std::size_t inputs_with_weights(std::string_view op_type);

// The type that an operator computes in where it reads floats and quantizes them itself.
model::DType type_it_quantizes_to(std::string_view op_type);

// Providers whose kernels run on another processor: the trace times how long the host took to start
// them.
bool is_asynchronous(std::string_view provider);

}  // namespace planex::ingest::onnxruntime
