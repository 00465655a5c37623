// Which layer what makes a tensor runs in: engines fuse biases, BatchNormalization and activations
// into the layer before them.
#pragma once

#include <optional>
#include <vector>

#include "onnx/model.h"
#include "quantize/flow.h"

namespace planex::quantize {

// Layer and nodes between it and a tensor, all of which run inside it.
struct Backbone {
  onnx::Index layer = onnx::kNoIndex;
  std::vector<onnx::Index> chain;  // from the tensor's maker to the layer
};

// Null where the tensor comes from no layer, or something else stands between. `is_layer`: by node.
// Cost: O(chain), at most 32 nodes.
std::optional<Backbone> find_backbone(const Flow& flow, const std::vector<bool>& is_layer,
                                      TensorId tensor);

// An activation, or BatchNormalization.
bool is_fused(const Flow& flow, onnx::Index node);

// The input behind which a node is fused: the one of an activation, the one that is not constant, x
// of x * Sigmoid(x). kNoTensor: it is fused behind none.
TensorId fused_input(const Flow& flow, onnx::Index node);

}  // namespace planex::quantize
