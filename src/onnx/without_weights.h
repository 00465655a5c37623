// A model without its weights: what of it says what is computed, small enough to hand on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "planex/error.h"

namespace planex::onnx {

// Data of a tensor up to this size stay: shapes, axes and scales are tensors, too.
inline constexpr std::size_t kMaxKeptBytes = 1024;
// What stands as the place of those that were left out.
inline constexpr std::string_view kLeftOut = "left-out-by-planex";

// The same model, in which larger tensors say that their data lie in another file (external data,
// with the size that they have here), which is nowhere. Their names, types and dimensions stay, and
// read() gives the same for both, but for where data are stored. All else is kept byte by byte.
// Errors: kBadInput with byte offset (no message of protobuf, or nested too deeply).
// Cost: O(bytes); memory for what is kept.
Result<std::string> without_weights(std::string_view model);

}  // namespace planex::onnx
