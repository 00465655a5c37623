// The operators of ONNX's own domain.
#pragma once

#include <string_view>

namespace planex::onnx {

// Whether ONNX itself defines an operator of this name, up to opset 25; others belong to an
// extension or a plugin.
bool is_standard_operator(std::string_view name);

}  // namespace planex::onnx
