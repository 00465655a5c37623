// The names that Model Explorer gives to the nodes of an ONNX model.
//  Model Explorer reads ONNX through the adapter model-explorer-onnx (0.4), whose rules these are:
// a node's id is its name; a name that another node of its graph has gets a number, and a node
// without a name is a "node". The content of an If is in the graph around it, under a path; bodies
// of loops and functions are graphs of their own. Source:
// https://github.com/justinchuby/model-explorer-onnx, and the pass NameFixPass of onnx_ir.
#pragma once

#include <string>
#include <vector>

#include "onnx/model.h"

namespace planex::render {

struct ExplorerId {
  std::string graph, node;
};

// By node of the model. Cost: O(nodes), amortised.
std::vector<ExplorerId> explorer_ids(const onnx::Model& model);

}  // namespace planex::render
