// Whether a file looks like an ONNX model. The format has no magic number.
#pragma once

#include <cstdint>
#include <string_view>

namespace planex::onnx {

enum class Likeness : std::uint8_t {
  kNone,
  kSome,   // nothing speaks against it, but too little is visible to decide
  kStrong  // a model's own fields, with a graph that has nodes or tensors of ONNX's form
};

// `head` is the beginning of a file, of any length.
Likeness likeness(std::string_view head);

}  // namespace planex::onnx
