// Raises a model's opset, so that it can contain what a later one added (Q/DQ per axis: 13; FP8:
// 19; INT4: 21; Conv in bfloat16: 22).
#pragma once

#include <cstdint>

#include "onnx/edit.h"
#include "onnx/links.h"
#include "onnx/values.h"

namespace planex::onnx {

// Adds to `edit` what raises the main graph and its subgraphs from their opset to `to` (13 to 22).
// From 10 on. An operation whose meaning changed and that can't be expressed in the new opset is an
// error that names the node: kUnsupported, with onnx.version_converter as the alternative.
Result<void> upgrade(const Model& model, const Links& links, Values& values, std::int64_t to,
                     Edit& edit);

}  // namespace planex::onnx
