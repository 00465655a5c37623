#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "base/text.h"
#include "graph/selection.h"

namespace planex::graph {
namespace {

using base::format;
using base::quoted;
using model::PlanModel;

// The more specific kind of node first: a tensor of this name can have many generations.
int rank(NodeKind kind) {
  switch (kind) {
    case NodeKind::kLayer:
    case NodeKind::kConstant:
      return 0;
    case NodeKind::kOperation:
      return 1;
    case NodeKind::kBinding:
      return 2;
    default:
      return 3;
  }
}

// The first few nodes, and their number.
struct Candidates {
  static constexpr std::size_t kMaxListed = 5;
  std::vector<NodeId> listed;
  std::size_t count = 0;

  void add(NodeId node) {
    if (++count <= kMaxListed) listed.push_back(node);
  }
};

class Search {
 public:
  Search(const PlanModel& model, const PlanGraph& graph, std::string_view name)
      : model_(model), graph_(graph), name_(name) {}

  Result<NodeId> run() const {
    if (name_.empty()) return fail(ErrorCode::kUsage, "the name of a node is empty");
    const Candidates exact = exact_matches();
    if (exact.count == 1) return exact.listed.front();
    if (exact.count > 1) return several(exact, "have the name");
    if (const auto numbered = by_number()) return *numbered;
    const Candidates containing = partial_matches();
    if (containing.count == 1) return containing.listed.front();
    if (containing.count > 1) return several(containing, "contain");
    return nothing();
  }

 private:
  std::string_view name_of(std::size_t node) const { return node_name(model_, graph_.nodes[node]); }

  // Only of the most specific kind. For a tensor's generations, the first.
  Candidates exact_matches() const {
    constexpr int kNone = 9;
    int best = kNone;
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
      if (name_of(node) == name_) best = std::min(best, rank(graph_.nodes[node].kind));
    }
    Candidates candidates;
    for (std::size_t node = 0; node < graph_.nodes.size() && best != kNone; ++node) {
      const Node& found = graph_.nodes[node];
      if (rank(found.kind) != best || name_of(node) != name_) continue;
      candidates.add(NodeId(node));
      if (found.kind == NodeKind::kMemory) break;
    }
    return candidates;
  }

  Candidates partial_matches() const {
    Candidates candidates;
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
      if (graph_.nodes[node].kind != NodeKind::kMemory &&
          name_of(node).find(name_) != std::string_view::npos) {
        candidates.add(NodeId(node));
      }
    }
    return candidates;
  }

  std::optional<NodeId> by_number() const {
    const std::string_view digits = name_.starts_with('#') ? name_.substr(1) : name_;
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    if (number >= graph_.node_of_layer.size()) return std::nullopt;
    const NodeId node = graph_.node_of_layer[number];
    return node.is_null() ? std::nullopt : std::optional(node);
  }

  Failure several(const Candidates& candidates, std::string_view how) const {
    std::string listed;
    for (const NodeId node : candidates.listed) {
      listed += (listed.empty() ? "" : ", ") + label(node);
    }
    if (candidates.count > candidates.listed.size()) listed += ", ...";
    return fail(ErrorCode::kUsage,
                format("{} nodes {} {}: {}", candidates.count, how, quoted(name_), listed),
                "give the number of a record, such as #6, or more of the name");
  }

  std::string label(NodeId node) const {
    const Node& found = graph_.nodes[node.index()];
    const std::string name = quoted(node_name(model_, found));
    return found.layer.is_null() ? name : format("#{} {}", found.layer.index(), name);
  }

  Failure nothing() const {
    // Enough to find a typo without comparing with everything.
    constexpr std::size_t kMaxCompared = 20'000;
    std::vector<std::string_view> names;
    for (std::size_t node = 0; node < std::min(kMaxCompared, graph_.nodes.size()); ++node) {
      names.push_back(name_of(node));
    }
    const auto near = base::nearest(name_, names);
    return fail(ErrorCode::kUsage, format("no node has the name {} or contains it", quoted(name_)),
                near ? format("did you mean {}?", quoted(*near)) : std::string());
  }

  const PlanModel& model_;
  const PlanGraph& graph_;
  std::string_view name_;
};

}  // namespace

std::string_view node_name(const PlanModel& model, const Node& node) {
  if (node.kind == NodeKind::kOperation) {
    return node.operation.is_null() ? model.text(model.sources.op_name[node.source])
                                    : model.text(model.operations.name[node.operation.index()]);
  }
  if (!node.layer.is_null()) return model.text(model.layers.name[node.layer.index()]);
  if (node.binding != kNoRow) return model.text(model.bindings.name[node.binding]);
  return node.tensor.is_null() ? std::string_view()
                               : model.text(model.tensors.name[node.tensor.index()]);
}

Result<NodeId> find_node(const PlanModel& model, const PlanGraph& graph, std::string_view name) {
  return Search(model, graph, name).run();
}

}  // namespace planex::graph
