// Attributes of a node as JSON.
#pragma once

#include <cstddef>
#include <string>

#include "onnx/model.h"

namespace planex::ingest::onnx {

// Longer ones are data rather than parameters: only their size is recorded.
inline constexpr std::size_t kMaxParameterValues = 1024;
inline constexpr std::size_t kMaxParameterBytes = 4096;

// {"kernel_shape":[3,3],"group":1}: numbers, texts and lists of them, in the order of the file.
// Tensors and graphs are left out. Long lists become {"count":5000}, long texts {"bytes":90000}; an
// attribute that a function takes from its call becomes {"attribute":"alpha"}. Empty if nothing is
// left.
std::string parameters_json(const planex::onnx::Model& model, const planex::onnx::Node& node);

}  // namespace planex::ingest::onnx
