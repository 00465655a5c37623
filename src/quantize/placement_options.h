// What is asked of a placement, and whether the target takes it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/model.h"
#include "onnx/node_names.h"
#include "planex/error.h"
#include "quantize/placement_rules.h"

namespace planex::quantize {

struct PlacementOptions {
  Target target = Target::kOpenvino;
  NumberFormat format = NumberFormat::kInt8;
  // Of INT4 weights: so many values that are summed up share a scale; 0: all of a channel.
  int block_size = 128;
  // Nodes, by name or by number ("#17"), that stay in float.
  std::vector<std::string> kept;
  // Operations that may be quantized; empty: those of the target.
  std::vector<std::string> op_types;
  // Layers named here only, all others are kept; empty: all. For single effects.
  std::vector<std::string> only;
  // Q/DQ that the model has are looked through, as if it were the float model: for advice. What is
  // placed names float tensors and their real readers.
  bool ignores_pairs = false;
};

// Those that are quantized where op_types is empty.
std::span<const std::string_view> default_operators(const PlacementOptions& options);

// The node of the main graph that a name means: its own, that of a tensor which it writes, or its
// number ("#17"). Errors: kBadInput (none, with the nearest name; one in the body of another node).
Result<onnx::Index> named_node(const onnx::Model& model, const onnx::NodeNames& names,
                               std::string_view name);

// Errors: kUnsupported (a format that the target does not take), kUsage (a size of blocks that it
// does not): says which it takes.
Result<void> check_format(const PlacementOptions& options);

}  // namespace planex::quantize
