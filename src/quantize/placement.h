// Decides where Q/DQ go in a float model, for a target, by rules that are data (placement_rules.h).
//
// Nothing is measured here and no data is needed: the result is which tensors get a pair, which
// readers read it, and which weights are quantized; scales come later.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/links.h"
#include "onnx/model.h"
#include "onnx/node_names.h"
#include "planex/error.h"
#include "quantize/placement_options.h"

namespace planex::quantize {

// A tensor that gets one pair, shared by all readers in `readers`. It is float, and has a maker or
// is an input of the graph.
struct PlacedTensor {
  std::string_view name;
  std::vector<onnx::Reader> readers;
  // Tensors with the same number share a scale (a Concat's inputs and output): the largest of
  // theirs. The number is the place of the first of them in Placement::tensors.
  std::uint32_t scale_group = 0;
  bool is_unsigned = false;   // uint8 with zero point 128, where the target wants it
  bool is_from_zero = false;  // with is_unsigned: a Relu writes it, so with zero point 0
  // The output of DQ takes over the name of the tensor: it is an output of the model, or a body
  // reads it, and for the target nothing may read the float.
  bool takes_name = false;
  std::vector<std::string_view> rules;  // ids
};

struct PlacedWeight {
  std::string_view name;                // as its first reader calls it
  onnx::Index tensor = onnx::kNoIndex;  // Model::tensors; each once
  std::vector<onnx::Reader> readers;    // one DQ for all; each is an input of a layer
  int axis = 0;                         // axis of the channels, from 0
  onnx::Index layer = onnx::kNoIndex;   // the first node of `readers`
  // For INT4, along the other of its two dimensions: how many values share a scale; 0: all of them.
  int block_size = 0;
};

// A rule that was applied at a place, or could have been.
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

// Nodes in bodies of If, Loop and Scan are left alone, as are operators of other domains. Errors:
// kBadInput (a named node does not exist; gives the nearest name), kUnsupported (a model without
// Q/DQ has no node that can be quantized; Q/DQ in the model without ignores_pairs; a format or a
// block that the target does not accept). Cost: O(nodes and links), except paths between an
// addition and the place where its inputs part, which are walked for each addition: at most 64
// steps per node in total.
Result<Placement> place(const onnx::Model& model, const onnx::Links& links,
                        const PlacementOptions& options);

}  // namespace planex::quantize
