// The layer that a tensor's maker runs in: engines fuse biases, BatchNormalization and activations
// into the layer before them.
#pragma once

#include <optional>
#include <vector>

#include "onnx/model.h"
#include "quantize/flow.h"

namespace planex::quantize {

// A layer and the nodes between it and a tensor, all of which run inside the layer.
struct Backbone {
  onnx::Index layer = onnx::kNoIndex;
  std::vector<onnx::Index> chain;  // from the tensor's maker to the layer
};

// Null where the tensor does not come from a layer, or another kind of node is between. `is_layer`:
// by node. Cost: O(chain), at most 32 nodes.
std::optional<Backbone> find_backbone(const Flow& flow, const std::vector<bool>& is_layer,
                                      TensorId tensor);

// An activation, or BatchNormalization.
bool is_fused(const Flow& flow, onnx::Index node);

// The input whose maker a node is fused into: the only input of an activation, the one that is not
// constant, x of x * Sigmoid(x). kNoTensor: the node is not fused.
TensorId fused_input(const Flow& flow, onnx::Index node);

}  // namespace planex::quantize
