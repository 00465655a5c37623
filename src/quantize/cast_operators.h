// Which operators have a form for small floats, and which of their inputs take part in it.
#pragma once

#include <cstdint>

#include "onnx/data_types.h"
#include "onnx/model.h"

namespace planex::quantize {

// Whether ONNX has the operator for the type at that opset, so that each float input and output
// can have it (but those of stays_float()).
bool has_small_form(const onnx::Node& node, onnx::DataType type, std::int64_t opset);

// Float inputs that are float32 in every form of the operator, such as the scales of a Resize.
bool stays_float(const onnx::Node& node, std::uint32_t input);

// Reads values of any type and makes none of the same: Shape, Size, Cast.
bool takes_any_type(const onnx::Node& node);

// Most of the work of a model: its weights are worth two Casts.
bool is_heavy(const onnx::Node& node);

}  // namespace planex::quantize
