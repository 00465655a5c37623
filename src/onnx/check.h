// Faults of a model that crash engines.
//
// This is not a checker of the ONNX standard: onnx.checker is. It finds what makes an engine crash
// instead of rejecting the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "onnx/model.h"
#include "planex/error.h"

namespace planex::onnx {

// A node that has fewer inputs than its operation requires.
struct MissingInputs {
  std::string_view name;  // The node's name, or its first output's where it has none.
  std::string_view op_type;
  std::size_t required = 0;
  std::size_t given = 0;
  std::uint64_t byte_offset = 0;
};

// In the main graph, subgraphs and functions, in the order of the file. Only operations for which
// OpenVINO 2026.4 dereferences a null pointer.
std::vector<MissingInputs> find_missing_inputs(const Model& model);

// kBadInput with the byte offset of the first.
Result<void> check_required_inputs(const std::vector<MissingInputs>& missing);

// The check above, and versions of operator sets that no standard will reach: OpenVINO looks for an
// operation in each version below, one by one. Errors: kBadInput.
Result<void> check_for_engines(const Model& model);

}  // namespace planex::onnx
