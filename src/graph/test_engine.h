// Small hand-made engines, described in one line per record.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/plan_graph.h"
#include "graph/selection.h"
#include "model/builder.h"

namespace planex::graph {

struct TestRecord {
  std::string type = "Convolution";
  model::Role role = model::Role::kWork;
  std::optional<double> ms;
  std::int64_t stream = 0;
  model::BlockId block;
  std::vector<std::int64_t> dims = {1, 64, 56, 56};
};

class TestEngine {
 public:
  // A record that reads and writes these tensors.
  model::LayerId add(std::string_view name, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs, const TestRecord& facts = {}) {
    const model::LayerId layer = builder.add_layer(builder.strings().add(name));
    model::LayersTable& layers = builder.model().layers;
    layers.type.set(layer.index(), builder.strings().intern(facts.type));
    layers.role.set(layer.index(), facts.role);
    layers.median_ms.set(layer.index(), facts.ms);
    layers.stream.set(layer.index(), facts.stream);
    layers.block_id.set(layer.index(), facts.block);
    for (const std::string& tensor : inputs)
      add_port(layer, model::Direction::kInput, tensor, facts);
    for (const std::string& tensor : outputs) {
      add_port(layer, model::Direction::kOutput, tensor, facts);
    }
    return layer;
  }
  model::LayerId no_op(std::string_view name, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs) {
    return add(name, inputs, outputs, {.type = "NoOp", .role = model::Role::kNoOp});
  }

  model::PlanModel finish(const std::vector<std::string>& bindings = {}) {
    for (const std::string& name : bindings) builder.add_binding(name, model::Direction::kNull);
    return builder.finish();
  }

  model::ModelBuilder builder;

 private:
  void add_port(model::LayerId layer, model::Direction direction, std::string_view tensor,
                const TestRecord& facts) {
    builder.add_port(layer, direction,
                     {.tensor = tensor, .dims = facts.dims, .dtype = model::DType::kFp16});
  }
};

// "a -> b" for every edge of a kind, in the graph's order. Memory is named after its tensor.
inline std::vector<std::string> edges_of(const model::PlanModel& model, const PlanGraph& graph,
                                         EdgeKind kind = EdgeKind::kData) {
  std::vector<std::string> edges;
  for (const Edge& edge : graph.edges) {
    if (edge.kind != kind) continue;
    edges.push_back(std::string(node_name(model, graph.nodes[edge.from.index()])) + " -> " +
                    std::string(node_name(model, graph.nodes[edge.to.index()])));
  }
  return edges;
}

inline std::vector<std::string> names_of(const model::PlanModel& model, const PlanGraph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) names.emplace_back(node_name(model, node));
  return names;
}

}  // namespace planex::graph
