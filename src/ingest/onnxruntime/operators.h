// ONNX Runtime's operators and types in the model's words.
#pragma once

#include <cstddef>
#include <string_view>

#include "model/types.h"

namespace planex::ingest::onnxruntime {

// "float" -> kFp32, "Int4x2" (two in a byte) -> kInt4; kNull for texts and unknown types.
model::DType dtype_of(std::string_view word);

// The minimum number of inputs of an operator if its weights are listed; 0 if its kernels never
// pack them. A kernel that packs its weights when the model is loaded drops them from the trace.
std::size_t inputs_with_weights(std::string_view op_type);

// The type that an operator computes in if it reads floats and quantizes them itself.
model::DType type_it_quantizes_to(std::string_view op_type);

// Providers whose kernels run on another processor: the trace then measures how long the host took
// to start them.
bool is_asynchronous(std::string_view provider);

}  // namespace planex::ingest::onnxruntime
