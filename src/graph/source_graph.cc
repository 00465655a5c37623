#include "graph/source_graph.h"

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/execution_graph.h"

namespace planex::graph {
namespace {

using model::Direction;
using model::OperationId;
using model::PlanModel;

// The path of the subgraph around a subgraph: "then | myif | outer" is in "myif | outer".
std::string_view around(std::string_view subgraph) {
  constexpr std::string_view kIn = " | ";
  const std::size_t cut = subgraph.find(kIn);
  return cut == std::string_view::npos ? std::string_view() : subgraph.substr(cut + kIn.size());
}

// From the operations of the source model.
class FromOperations {
 public:
  explicit FromOperations(const PlanModel& model) : model_(model) {}

  PlanGraph run() {
    graph_.view = View::kSource;
    graph_.node_of_layer.assign(model_.layers.row_count(), NodeId());
    find_producers();
    add_bindings(Direction::kInput);
    const std::size_t first = graph_.nodes.size();
    for (std::size_t row = 0; row < model_.operations.row_count(); ++row) {
      graph_.nodes.push_back({.kind = NodeKind::kOperation, .operation = OperationId(row)});
    }
    first_operation_ = first;
    add_bindings(Direction::kOutput);
    for (std::size_t port = 0; port < model_.operation_ports.row_count(); ++port) add_edge(port);
    for (const std::size_t node : output_nodes_) add_output(node);
    return std::move(graph_);
  }

 private:
  using Scope = std::unordered_map<std::string_view, std::uint32_t>;

  std::string_view tensor_of(std::size_t port) const {
    return model_.text(model_.operation_ports.tensor[port]);
  }

  void find_producers() {
    for (std::size_t port = 0; port < model_.operation_ports.row_count(); ++port) {
      const std::string_view tensor = tensor_of(port);
      if (tensor.empty()) continue;
      const OperationId operation = model_.operation_ports.operation_id[port];
      if (model_.operation_ports.direction[port] == Direction::kOutput) {
        const std::string_view subgraph =
            model_.text(model_.operations.subgraph[operation.index()]);
        producers_[subgraph].emplace(tensor, static_cast<std::uint32_t>(port));
      }
    }
  }

  // The port that writes the tensor visible in a subgraph, or kNoRow.
  std::uint32_t producer(std::string_view tensor, std::string_view subgraph) const {
    while (true) {
      const auto scope = producers_.find(subgraph);
      if (scope != producers_.end()) {
        const auto found = scope->second.find(tensor);
        if (found != scope->second.end()) return found->second;
      }
      if (subgraph.empty()) return kNoRow;
      subgraph = around(subgraph);
    }
  }

  void add_bindings(Direction direction) {
    for (std::size_t row = 0; row < model_.bindings.row_count(); ++row) {
      if (model_.bindings.direction[row] != direction) continue;
      const std::string_view name = model_.text(model_.bindings.name[row]);
      if (direction == Direction::kOutput) {
        if (producer(name, {}) == kNoRow) continue;
        output_nodes_.push_back(graph_.nodes.size());
      } else if (!inputs_.emplace(name, NodeId(graph_.nodes.size())).second) {
        continue;
      }
      graph_.nodes.push_back({.kind = NodeKind::kBinding,
                              .binding = static_cast<std::uint32_t>(row),
                              .direction = direction});
    }
  }

  NodeId node_of_port(std::uint32_t port) const {
    return NodeId(first_operation_ + model_.operation_ports.operation_id[port].index());
  }

  void add_edge(std::size_t port) {
    const std::string_view tensor = tensor_of(port);
    if (tensor.empty() || model_.operation_ports.direction[port] == Direction::kOutput) return;
    const auto to_port = static_cast<std::uint32_t>(port);
    const NodeId to = node_of_port(to_port);
    const OperationId operation = model_.operation_ports.operation_id[port];
    const std::uint32_t from_port =
        producer(tensor, model_.text(model_.operations.subgraph[operation.index()]));
    if (from_port != kNoRow) {
      const NodeId from = node_of_port(from_port);
      const EdgeKind kind = from < to ? EdgeKind::kData : EdgeKind::kCarried;
      if (from != to) graph_.edges.push_back({from, to, kind, {}, from_port, to_port});
      return;
    }
    const auto input = inputs_.find(tensor);
    if (input == inputs_.end()) return;  // weights
    graph_.edges.push_back({input->second, to, EdgeKind::kData, {}, kNoRow, to_port});
  }

  void add_output(std::size_t node) {
    const std::string_view name = model_.text(model_.bindings.name[graph_.nodes[node].binding]);
    const std::uint32_t port = producer(name, {});
    graph_.edges.push_back({node_of_port(port), NodeId(node), EdgeKind::kData, {}, port, kNoRow});
  }

  const PlanModel& model_;
  PlanGraph graph_;
  std::unordered_map<std::string_view, Scope> producers_;
  std::unordered_map<std::string_view, NodeId> inputs_;
  std::vector<std::size_t> output_nodes_;
  std::size_t first_operation_ = 0;
};

// From the operations that the layers of an execution graph stem from.
class FromLayers {
 public:
  FromLayers(const PlanModel& model, PlanGraph layers)
      : model_(model), layers_(std::move(layers)) {}

  PlanGraph run() {
    graph_.view = View::kSource;
    graph_.node_of_layer.assign(model_.layers.row_count(), NodeId());
    first_.reserve(layers_.nodes.size());
    last_.reserve(layers_.nodes.size());
    for (const Node& node : layers_.nodes) add_node(node);
    for (const Edge& edge : layers_.edges) {
      Edge moved = edge;
      moved.from = last_[edge.from.index()];
      moved.to = first_[edge.to.index()];
      moved.from_port = moved.to_port = kNoRow;
      graph_.edges.push_back(moved);
    }
    return std::move(graph_);
  }

 private:
  void add_node(const Node& node) {
    first_.emplace_back(graph_.nodes.size());
    const model::RowRange sources =
        node.layer.is_null() ? model::RowRange{} : model_.sources_of(node.layer);
    for (std::size_t row = sources.first; row < sources.end(); ++row) {
      const NodeId id(graph_.nodes.size());
      if (row > sources.first) {
        graph_.edges.push_back({.from = NodeId(id.index() - 1), .to = id});
      }
      graph_.nodes.push_back({.kind = NodeKind::kOperation,
                              .layer = node.layer,
                              .source = static_cast<std::uint32_t>(row)});
    }
    if (sources.count == 0) {
      if (!node.layer.is_null()) {
        graph_.node_of_layer[node.layer.index()] = NodeId(graph_.nodes.size());
      }
      graph_.nodes.push_back(node);
    }
    last_.emplace_back(graph_.nodes.size() - 1);
  }

  const PlanModel& model_;
  PlanGraph layers_, graph_;
  std::vector<NodeId> first_, last_;  // of each node of the execution graph
};

}  // namespace

PlanGraph build_source_graph(const PlanModel& model, const GraphOptions& options) {
  if (model.operations.row_count() > 0) return FromOperations(model).run();
  GraphOptions execution = options;
  execution.view = View::kExecution;
  return FromLayers(model, build_execution_graph(model, execution)).run();
}

}  // namespace planex::graph
