// How an output is joined from others: the Concat that makes it.
#pragma once

#include <string_view>

#include "arrays/slices.h"
#include "onnx/links.h"
#include "onnx/model.h"

namespace planex::tune {

// The axis of `tensor` along which the last Concat joins it, the sizes where the model gives all of
// them, and what is joined; through steps that keep values and axes, and through Transpose, which
// moves the axis. Without names: no Concat makes it.
arrays::Split joined_split(const onnx::Model& model, const onnx::Links& links,
                           std::string_view tensor);

}  // namespace planex::tune
