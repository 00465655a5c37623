// Options of a placement, and whether the target supports them.
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
  // For INT4 weights: how many values that are summed up share a scale; 0: all of a channel.
  int block_size = 128;
  // Nodes, by name or by number ("#17"), that stay in float.
  std::vector<std::string> kept;
  // Operations to quantize; empty: those of the target.
  std::vector<std::string> op_types;
  // Quantize only the layers named here and keep all others in float; empty: all. For single
  // effects.
  std::vector<std::string> only;
  // Q/DQ in the model are looked through, as if it were the float model: for advice. The placement
  // names float tensors and their real readers.
  bool ignores_pairs = false;
};

// Operations that are quantized where op_types is empty.
std::span<const std::string_view> default_operators(const PlacementOptions& options);

// The node of the main graph that a name refers to: by its own name, by a tensor that it writes, or
// by number ("#17"). Errors: kBadInput (no such node, with the nearest name; one in the body of
// another node).
Result<onnx::Index> named_node(const onnx::Model& model, const onnx::NodeNames& names,
                               std::string_view name);

// A word for it: its name where that is unique and fits on a line, else its number.
std::string word_of_node(const onnx::NodeNames& names, onnx::Index node);

// Errors: kUnsupported (a format that the target does not accept), kUsage (a block size that it
// does not accept): says which it accepts.
Result<void> check_format(const PlacementOptions& options);

}  // namespace planex::quantize
