// ONNX's element types in the model's words.
#pragma once

#include "model/types.h"
#include "onnx/data_types.h"

namespace planex::ingest::onnx {

// kNull for types that the model has no word for: strings, complex numbers, UINT4, types with two
// and six bits, scales of FP8 blocks.
model::DType dtype_of(planex::onnx::DataType type);

}  // namespace planex::ingest::onnx
