// Which operators exist for small floats, and which of their inputs take the small type.
#pragma once

#include <cstdint>

#include "onnx/data_types.h"
#include "onnx/model.h"

namespace planex::quantize {

// Whether ONNX has the operator for the type at that opset, so that each float input and output can
// have it (except those of stays_float()).
bool has_small_form(const onnx::Node& node, onnx::DataType type, std::int64_t opset);

// Float inputs that are float32 in every form of the operator, such as the scales of a Resize.
bool stays_float(const onnx::Node& node, std::uint32_t input);

// Reads values of any type and does not pass the type on: Shape, Size, Cast.
bool takes_any_type(const onnx::Node& node);

// These do most of the work of a model: their weights are worth two Casts.
bool is_heavy(const onnx::Node& node);

}  // namespace planex::quantize
