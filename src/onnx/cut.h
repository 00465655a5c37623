// Cuts out a part of a model as a model of its own: the nodes around some tensors, their inputs and
// their outputs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/edit.h"
#include "onnx/links.h"
#include "onnx/model.h"
#include "onnx/values.h"
#include "planex/error.h"

namespace planex::onnx {

// A cut of the main graph.
struct Cut {
  std::vector<Index> nodes;  // in their order
  // What the nodes read and no node of the cut makes, except constants, in the order of their
  // readers.
  std::vector<std::string_view> inputs;
  // What the nodes write and none of them reads, in the order of their makers.
  std::vector<std::string_view> outputs;
};

// How far a cut reaches from the nodes that make its tensors.
struct CutReach {
  int up = 0;    // nodes before them
  int down = 0;  // nodes after them
};

// The makers of `tensors` and the nodes around them. Nodes that only compute on constants, and Q
// and DQ in front of a node, belong to it and do not count as a step. Nodes that contain graphs
// (If, Loop) are left out: what they read can't be seen. Cost: O(nodes and their inputs).
Cut cut_around(const Model& model, const Links& links, std::span<const std::string_view> tensors,
               CutReach reach);

// The nodes that make one of `made`, with those that compute on constants for them: the same part
// of a model that has other Q/DQ.
Cut cut_of(const Model& model, const Links& links, std::span<const std::string_view> made);

// Adds the edits that remove everything but the cut. `inputs` say how its inputs are declared; one
// that is in `constants` instead becomes an initializer. External data of initializers that stay
// are moved into the file. Errors: those of `values`.
Result<void> cut_out(const Model& model, const Links& links, Values& values, const Cut& cut,
                     std::vector<NewValue> inputs, std::vector<NewTensor> constants,
                     std::vector<NewValue> outputs, Edit& edit);

}  // namespace planex::onnx
