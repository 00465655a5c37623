// Parts of a plan graph: the nodes that a person asked for, and the graph of only those.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/plan_graph.h"
#include "planex/error.h"

namespace planex::graph {

// What to keep. Conditions combine by "and"; an empty one keeps everything.
struct SelectionRequest {
  // Nodes whose name, type, tactic or an attribute's value matches this regular expression (RE2,
  // found anywhere), and `neighbours` steps around them.
  std::optional<std::string> select;
  std::uint32_t neighbours = 1;
  // Nodes at most `radius` steps up- or downstream of this one.
  std::optional<std::string> around;
  std::uint32_t radius = 2;
  // Nodes on any path from the first to the second.
  std::optional<std::string> between_from, between_to;
  // The N slowest layers, and `context` steps around each.
  std::optional<std::uint32_t> slowest;
  std::uint32_t context = 1;
  // Layers without inputs and outputs are left out, but TrainStation.
  bool remove_disconnected = false;

  bool is_everything() const {
    return !select && !around && !between_from && !slowest && !remove_disconnected;
  }
};

struct Selection {
  // One value per node of the graph: kept or not.
  std::vector<bool> kept;
  // The requested nodes, without those around them.
  std::vector<NodeId> hits;
};

// How people name a node: a layer's name (exact, else the only one that contains the text), "#6" or
// "6" for a record by its layer_id, the name of a binding, a tensor or an operation.
// Errors: kUsage: no such node (with the nearest names), or several (with the first few).
Result<NodeId> find_node(const model::PlanModel& model, const PlanGraph& graph,
                         std::string_view name);

// Errors: kUsage: a bad regular expression, an unknown name, or nothing is left (the message says
// which condition left nothing).
Result<Selection> select(const model::PlanModel& model, const PlanGraph& graph,
                         const SelectionRequest& request);

// Nodes whose name, type, tactic or an attribute's value matches. Errors: kUsage.
Result<std::vector<NodeId>> matching(const model::PlanModel& model, const PlanGraph& graph,
                                     std::string_view regex);

// The name by which people know a node: of the layer, the tensor, the binding or the operation. The
// view lives as long as the model.
std::string_view node_name(const model::PlanModel& model, const Node& node);

// The graph of the kept nodes and the edges between them. Where `contract` is set, a path through
// omitted nodes becomes one edge of kind kContracted (per pair, and at most one per edge that
// leaves the kept part, so that the graph stays linear in size).
enum class Contract : std::uint8_t { kNo, kYes };
PlanGraph subgraph(const PlanGraph& graph, const std::vector<bool>& kept, Contract contract);

}  // namespace planex::graph
