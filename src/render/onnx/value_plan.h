// What flows between the nodes of a graph, as ONNX wants it: values that one node writes, once, and
// that only later nodes read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/plan_graph.h"
#include "model/plan_model.h"
#include "render/onnx/value_names.h"

namespace planex::render {

struct PlannedValue {
  std::string name;
  // A row of `ports` (in the source view of `operation_ports`) that tells type and dimensions, or
  // of `bindings`; kNoRow: not known, or nothing but an order.
  std::uint32_t port = graph::kNoRow;
  std::uint32_t binding = graph::kNoRow;
};

struct PlannedNode {
  graph::NodeId node;
  // Indices into ValuePlan::values.
  std::vector<std::uint32_t> inputs, outputs;
  // Values that only a later node writes, such as those a loop carries: no inputs in ONNX.
  std::vector<std::uint32_t> carried;
};

struct ValuePlan {
  std::vector<PlannedValue> values;
  // Each node after all that write its inputs. Bindings have none, but an output that not exactly
  // one node writes, which is joined.
  std::vector<PlannedNode> nodes;
  // Indices into `values`, of the engine's inputs and outputs.
  std::vector<std::uint32_t> inputs, outputs;
};

// Values have the names of their tensors; where several nodes write one (or a node writes the next
// use of its memory) "name.1", "name.2". What is written into an input of the engine is left out:
// ONNX has no way to say it. Cost: O(E + N log N) for E edges and N nodes.
ValuePlan plan_values(const model::PlanModel& model, const graph::PlanGraph& graph);

}  // namespace planex::render
