// Where Q/DQ go in a float model, for a target, by rules that are data (placement_rules.h).
//
// Nothing is measured here and no data is needed: what is placed is which tensors get a pair, which
// readers take it, and which weights are quantized; scales come later.
#ifndef PLANEX_QUANTIZE_PLACEMENT_H_
#define PLANEX_QUANTIZE_PLACEMENT_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/links.h"
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

// A tensor that gets one pair, shared by all readers in `readers`. It is float, and has a maker or
// is an input of the graph.
struct PlacedTensor {
  std::string_view name;
  std::vector<onnx::Reader> readers;
  // Tensors with one number share a scale (a Concat's inputs and output): the largest of theirs. It
  // is the place of the first of them in Placement::tensors.
  std::uint32_t scale_group = 0;
  bool is_unsigned = false;             // uint8 with zero point 128, where the target wants it
  std::vector<std::string_view> rules;  // ids
};

struct PlacedWeight {
  std::string_view name;                // as its first reader calls it
  onnx::Index tensor = onnx::kNoIndex;  // Model::tensors; each once
  std::vector<onnx::Reader> readers;    // one DQ for all; each is an input of a layer
  int axis = 0;                         // of the channels, from 0
  onnx::Index layer = onnx::kNoIndex;   // the first node of `readers`
  // Of INT4, along the other of its two dimensions: so many values share a scale; 0: all of them.
  int block_size = 0;
};

// A rule that was, or could have been, applied at a place.
struct PlacementDecision {
  std::string_view rule;  // id
  onnx::Index node = onnx::kNoIndex;
  std::string_view tensor;
  bool is_applied = false;
  std::string why;  // one sentence
};

struct Placement {
  std::vector<PlacedTensor>
      tensors;  // in the graph's order: inputs, then by the node that makes them
  std::vector<PlacedWeight> weights;         // in the order of their layers
  std::vector<onnx::Index> layers;           // nodes whose weights are quantized, ascending
  std::vector<PlacementDecision> decisions;  // by rule, in the rules' order, then by node
};

// The node of the main graph that a name means: its own, that of a tensor which it writes, or its
// number ("#17"). Errors: kBadInput (none, with the nearest name; one in the body of another node).
Result<onnx::Index> named_node(const onnx::Model& model, const onnx::NodeNames& names,
                               std::string_view name);

// Nodes in bodies of If, Loop and Scan are left alone, as are operators of other domains.
// Errors: kBadInput (a named node that is not there, with the nearest name), kUnsupported (no node
// can be quantized, of a model without Q/DQ; Q/DQ in the model without ignores_pairs; a format or a
// block that the target does not take).
// Cost: O(nodes and links), but for paths between an addition and the place where its inputs
// parted, which are walked for each addition; all together at most 64 steps a node.
Result<Placement> place(const onnx::Model& model, const onnx::Links& links,
                        const PlacementOptions& options);

}  // namespace planex::quantize

#endif  // PLANEX_QUANTIZE_PLACEMENT_H_
