// A model without its weights: the part that says what is computed, small enough to hand on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "planex/error.h"

namespace planex::onnx {

// Data of a tensor up to this size stay: shapes, axes and scales are tensors, too.
inline constexpr std::size_t kMaxKeptBytes = 1024;
// The location written for omitted data.
inline constexpr std::string_view kLeftOut = "left-out-by-planex";

// The same model, in which larger tensors refer to another file for their data (external data, with
// the size that they have here), which does not exist. Their names, types and dimensions stay, and
// read() returns the same for both, except for where data is stored. Everything else is kept byte
// for byte. Errors: kBadInput with byte offset (not a protobuf message, or nested too deeply).
// Cost: O(bytes); memory for what is kept.
Result<std::string> without_weights(std::string_view model);

}  // namespace planex::onnx
