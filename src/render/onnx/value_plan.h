// What flows between the nodes of a graph, as ONNX requires it: values that one node writes, once,
// and that only later nodes read.
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
  // A row of `ports` (in the source view of `operation_ports`) with type and dimensions, or of
  // `bindings`; kNoRow: unknown, or only an order.
  std::uint32_t port = graph::kNoRow;
  std::uint32_t binding = graph::kNoRow;
};

struct PlannedNode {
  graph::NodeId node;
  // Indices into ValuePlan::values.
  std::vector<std::uint32_t> inputs, outputs;
  // Values that only a later node writes, such as those a loop carries: not inputs in ONNX.
  std::vector<std::uint32_t> carried;
};

struct ValuePlan {
  std::vector<PlannedValue> values;
  // Each node after all nodes that write its inputs. Bindings have none, except an output that is
  // not written by exactly one node: it is joined.
  std::vector<PlannedNode> nodes;
  // Indices into `values`, of the engine's inputs and outputs.
  std::vector<std::uint32_t> inputs, outputs;
};

// Values have the names of their tensors; if several nodes write one (or a node writes the next use
// of its memory) "name.1", "name.2". Values written into an input of the engine are left out: ONNX
// cannot express that. Cost: O(E + N log N) for E edges and N nodes.
ValuePlan plan_values(const model::PlanModel& model, const graph::PlanGraph& graph);

}  // namespace planex::render
