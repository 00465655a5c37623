// The graph as an ONNX model: for Netron, and for scripts that walk ONNX graphs. It has no data and
// can't be run.
#pragma once

#include <string>
#include <vector>

#include "graph/plan_graph.h"
#include "model/plan_model.h"
#include "planex/error.h"
#include "render/words/document_sink.h"

namespace planex::render {

// Nodes are in the domain "planex", their type is the layer's own; what the file says about a
// layer, and what planex knows about it, are attributes. Bindings are inputs and outputs. Values
// have type and shape as far as they are known; FP8 is E4M3, also for engines that don't say which.
// What a loop carries to its next iteration is an attribute, "carried_inputs", because ONNX graphs
// have no cycles. The same graph gives the same bytes, and onnx.checker accepts them. Errors:
// kUnsupported (more than the 2 GB that a protobuf message may have), those of `sink`. Cost: O(size
// of the model + N log N) time, O(size of the document) memory.
Result<void> write_onnx(const model::PlanModel& model, const graph::PlanGraph& graph,
                        const DocumentSink& sink);

// The names of its nodes in the document, by node of `graph`: empty for bindings, which are not
// nodes.
std::vector<std::string> onnx_node_names(const model::PlanModel& model,
                                         const graph::PlanGraph& graph);

// The name of the graph in the document.
std::string onnx_graph_name(const model::PlanModel& model);

}  // namespace planex::render
