// Names of an ONNX file: which node makes which tensor, and of what type the nodes are.
//
// This is not an ONNX reader: no attributes, shapes or weights. It exists because OpenVINO tells
// tensor names but not the ONNX nodes behind them, and because OpenVINO crashes on a few malformed
// nodes (see missing_inputs).
// Format: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto,
//         https://protobuf.dev/programming-guides/encoding/
#ifndef PLANEX_DRIVE_OPENVINO_DRIVER_ONNX_NAMES_H_
#define PLANEX_DRIVE_OPENVINO_DRIVER_ONNX_NAMES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "planex/error.h"

namespace planex::drive {

struct OnnxNode {
  std::string_view name;  // May be empty.
  std::string_view op_type;
  std::string_view domain;
  std::vector<std::string_view> outputs;
};

// A node that has fewer inputs than its operation requires.
struct MissingInputs {
  std::string_view name;  // The node's, or its first output's where it has none.
  std::string_view op_type;
  std::size_t required = 0;
  std::size_t given = 0;
  std::uint64_t byte_offset = 0;
};

struct OnnxNames {
  std::vector<OnnxNode> nodes;  // Of the main graph, in file order.
  // In the main graph, in subgraphs (If, Loop, Scan) and in functions.
  std::vector<MissingInputs> missing_inputs;
};

// Views point into `bytes`, which must outlive the result.
// Errors: kBadInput with a byte offset.
// Cost:   O(bytes of nodes); weights are stepped over, nothing recurses.
Result<OnnxNames> read_onnx_names(std::string_view bytes);

// kBadInput when the model has nodes that OpenVINO 2026.4 dereferences a null pointer on.
Result<void> check_required_inputs(const OnnxNames& names);

}  // namespace planex::drive

#endif  // PLANEX_DRIVE_OPENVINO_DRIVER_ONNX_NAMES_H_
