#include "render/onnx/value_plan.h"

#include <functional>
#include <optional>
#include <queue>
#include <string_view>

#include "base/text.h"
#include "graph/selection.h"

namespace planex::render {
namespace {

using graph::kNoRow;
using graph::NodeId;
using graph::NodeKind;
using model::PlanModel;

bool is_input(const graph::Node& node) {
  return node.kind == NodeKind::kBinding && node.direction != model::Direction::kOutput;
}
bool is_output(const graph::Node& node) {
  return node.kind == NodeKind::kBinding && !is_input(node);
}
bool is_record(const graph::Node& node) {
  return node.kind == NodeKind::kLayer || node.kind == NodeKind::kConstant;
}

// The place of each node in an order in which all edges except those that lead back lead forward;
// nodes stay in the graph's own order as far as possible.
std::vector<std::uint32_t> places_of(const graph::PlanGraph& graph,
                                     const graph::Adjacency& adjacency) {
  const std::size_t count = graph.nodes.size();
  constexpr std::uint32_t kUnplaced = kNoRow;
  std::vector<std::uint32_t> places(count, kUnplaced);
  std::vector<std::uint32_t> missing(count);
  const auto counts = [&](const graph::Edge& edge) {
    return edge.kind != graph::EdgeKind::kCarried && edge.from != edge.to;
  };
  for (const graph::Edge& edge : graph.edges) {
    if (counts(edge)) ++missing[edge.to.index()];
  }
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (missing[i] == 0) ready.push(i);
  }
  std::uint32_t first_unplaced = 0;
  for (std::uint32_t place = 0; place < count;) {
    if (ready.empty()) {  // A cycle: it is cut before its first node.
      while (places[first_unplaced] != kUnplaced) ++first_unplaced;
      ready.push(first_unplaced);
    }
    const std::uint32_t node = ready.top();
    ready.pop();
    if (places[node] != kUnplaced) continue;
    places[node] = place++;
    for (const std::uint32_t row : adjacency.out(NodeId(node))) {
      const graph::Edge& edge = graph.edges[row];
      if (!counts(edge) || places[edge.to.index()] != kUnplaced) continue;
      if (--missing[edge.to.index()] == 0) {
        ready.push(static_cast<std::uint32_t>(edge.to.index()));
      }
    }
  }
  return places;
}

class Planner {
 public:
  Planner(const PlanModel& model, const graph::PlanGraph& graph)
      : model_(model),
        graph_(graph),
        adjacency_(graph),
        places_(places_of(graph, adjacency_)),
        port_count_(is_source_view() ? model.operation_ports.row_count() : model.ports.row_count()),
        value_of_slot_(port_count_ + graph.nodes.size(), kNoRow) {}

  ValuePlan plan() {
    name_bindings();
    std::vector<std::uint32_t> order(places_.size());
    for (std::uint32_t i = 0; i < places_.size(); ++i) order[places_[i]] = i;
    // All values first: what a loop carries is named before it is written.
    for (const std::uint32_t index : order) add_values(index);
    for (const std::uint32_t index : order) add_node(index);
    return std::move(plan_);
  }

 private:
  bool is_source_view() const { return graph_.view == graph::View::kSource; }

  // Rows of `ports`; edges of the source view start at rows of another table.
  bool has_ports(const graph::Node& node) const { return is_record(node) && !is_source_view(); }

  // What an edge carries has a slot: the port that it starts at, or else its node.
  std::size_t node_slot(std::size_t node) const { return port_count_ + node; }
  std::size_t slot_of(const graph::Edge& edge) const {
    const NodeKind kind = graph_.nodes[edge.from.index()].kind;
    const bool is_node = kind == NodeKind::kBinding || kind == NodeKind::kMemory;
    return is_node || edge.from_port == kNoRow ? node_slot(edge.from.index()) : edge.from_port;
  }
  bool leads_forward(const graph::Edge& edge) const {
    return places_[edge.from.index()] < places_[edge.to.index()];
  }

  std::uint32_t add_value(std::size_t slot, PlannedValue value) {
    const auto index = static_cast<std::uint32_t>(plan_.values.size());
    plan_.values.push_back(std::move(value));
    value_of_slot_[slot] = index;
    return index;
  }

  // The slot of the one value that is an output, or nothing.
  std::optional<std::size_t> only_slot(std::size_t output) const {
    const auto edges = adjacency_.in(NodeId(output));
    if (edges.size() != 1 || !leads_forward(graph_.edges[edges.front()])) return std::nullopt;
    const graph::Edge& edge = graph_.edges[edges.front()];
    const bool is_own = graph_.nodes[edge.from.index()].kind != NodeKind::kBinding;
    const std::size_t slot = slot_of(edge);
    return is_own && value_of_slot_[slot] == kNoRow ? std::optional(slot) : std::nullopt;
  }

  // Bindings have their own names; a value that is an output has the output's name.
  void name_bindings() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const graph::Node& node = graph_.nodes[i];
      if (node.kind != NodeKind::kBinding) continue;
      const std::uint32_t value =
          add_value(node_slot(i), {.name = names_.take(graph::node_name(model_, node), "binding"),
                                   .binding = node.binding});
      (is_input(node) ? plan_.inputs : plan_.outputs).push_back(value);
    }
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (!is_output(graph_.nodes[i])) continue;
      if (const auto slot = only_slot(i)) value_of_slot_[*slot] = value_of_slot_[node_slot(i)];
    }
  }

  std::string_view tensor_name(std::uint32_t port) const {
    if (is_source_view()) return model_.text(model_.operation_ports.tensor[port]);
    const model::TensorId tensor = model_.ports.tensor_id[port];
    return tensor.is_null() ? std::string_view() : model_.text(model_.tensors.name[tensor.index()]);
  }

  void add_port_value(std::uint32_t port) {
    if (value_of_slot_[port] != kNoRow) return;
    add_value(port, {.name = names_.take(tensor_name(port), "value"), .port = port});
  }

  // A row of ports with the type of the contents of a memory node.
  std::uint32_t port_beside(NodeId node) const {
    for (const std::uint32_t row : adjacency_.in(node)) {
      if (graph_.edges[row].from_port != kNoRow) return graph_.edges[row].from_port;
    }
    for (const std::uint32_t row : adjacency_.out(node)) {
      if (graph_.edges[row].to_port != kNoRow) return graph_.edges[row].to_port;
    }
    return kNoRow;
  }

  // Order only: a value without a type, with the node's name.
  void add_order_value(std::size_t index) {
    const std::string_view name = graph::node_name(model_, graph_.nodes[index]);
    add_value(node_slot(index), {.name = names_.take(base::format("{}: done", name), "done")});
  }

  void add_values(std::size_t index) {
    const graph::Node& node = graph_.nodes[index];
    if (node.kind == NodeKind::kBinding) return;
    if (node.kind == NodeKind::kMemory) {
      if (value_of_slot_[node_slot(index)] != kNoRow) return;
      add_value(node_slot(index), {.name = names_.take(graph::node_name(model_, node), "memory"),
                                   .port = port_beside(NodeId(index))});
      return;
    }
    if (has_ports(node)) {
      const model::RowRange ports = model_.ports_of(node.layer);
      for (std::size_t port = ports.first; port < ports.end(); ++port) {
        if (model_.ports.direction[port] != model::Direction::kOutput) continue;
        add_port_value(static_cast<std::uint32_t>(port));
      }
    }
    for (const std::uint32_t row : adjacency_.out(NodeId(index))) {
      const std::size_t slot = slot_of(graph_.edges[row]);
      if (value_of_slot_[slot] != kNoRow) continue;
      if (slot < port_count_) {
        add_port_value(static_cast<std::uint32_t>(slot));
      } else {
        add_order_value(index);
      }
    }
  }

  void add_node(std::size_t index) {
    const graph::Node& node = graph_.nodes[index];
    if (is_input(node) || (is_output(node) && is_claimed(index))) return;
    PlannedNode planned{.node = NodeId(index)};
    for (const std::uint32_t row : adjacency_.in(NodeId(index))) {
      const graph::Edge& edge = graph_.edges[row];
      const std::uint32_t value = value_of_slot_[slot_of(edge)];
      (leads_forward(edge) ? planned.inputs : planned.carried).push_back(value);
    }
    add_outputs(index, planned.outputs);
    if (planned.inputs.empty() && planned.outputs.empty()) {
      add_order_value(index);
      planned.outputs.push_back(value_of_slot_[node_slot(index)]);
    }
    plan_.nodes.push_back(std::move(planned));
  }

  // Another node writes the output.
  bool is_claimed(std::size_t output) const {
    const auto edges = adjacency_.in(NodeId(output));
    return edges.size() == 1 && leads_forward(graph_.edges[edges.front()]) &&
           value_of_slot_[slot_of(graph_.edges[edges.front()])] ==
               value_of_slot_[node_slot(output)];
  }

  void add_outputs(std::size_t index, std::vector<std::uint32_t>& outputs) {
    const graph::Node& node = graph_.nodes[index];
    if (has_ports(node)) {
      const model::RowRange ports = model_.ports_of(node.layer);
      for (std::size_t port = ports.first; port < ports.end(); ++port) {
        if (model_.ports.direction[port] == model::Direction::kOutput) {
          outputs.push_back(value_of_slot_[port]);
        }
      }
    } else if (node.kind == NodeKind::kOperation) {
      add_operation_outputs(index, outputs);
    }
    const std::uint32_t own = value_of_slot_[node_slot(index)];
    if (own != kNoRow) outputs.push_back(own);
  }

  // Each port that an edge starts at, once.
  void add_operation_outputs(std::size_t index, std::vector<std::uint32_t>& outputs) {
    if (is_written_.empty()) is_written_.resize(port_count_);
    for (const std::uint32_t row : adjacency_.out(NodeId(index))) {
      const std::size_t slot = slot_of(graph_.edges[row]);
      if (slot >= port_count_ || is_written_[slot]) continue;
      is_written_[slot] = true;
      outputs.push_back(value_of_slot_[slot]);
    }
  }

  const PlanModel& model_;
  const graph::PlanGraph& graph_;
  graph::Adjacency adjacency_;
  std::vector<std::uint32_t> places_;
  std::size_t port_count_;
  // Ports, then nodes.
  std::vector<std::uint32_t> value_of_slot_;
  std::vector<bool> is_written_;
  UniqueNames names_;
  ValuePlan plan_;
};

}  // namespace

ValuePlan plan_values(const PlanModel& model, const graph::PlanGraph& graph) {
  return Planner(model, graph).plan();
}

}  // namespace planex::render
