#include "graph/selection.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "base/text.h"
#include "base/try.h"

namespace planex::graph {
namespace {

using base::format;
using base::quoted;
using model::PlanModel;

class Pattern {
 public:
  static Result<Pattern> compile(std::string_view regex) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    auto compiled =
        std::make_unique<re2::RE2>(re2::StringPiece(regex.data(), regex.size()), options);
    if (!compiled->ok()) {
      return fail(
          ErrorCode::kUsage,
          format("{} is not a valid regular expression: {}", quoted(regex), compiled->error()),
          "the syntax is that of RE2; escape special characters with a backslash");
    }
    return Pattern(std::move(compiled));
  }

  bool is_in(std::string_view text) const {
    return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *regex_);
  }

 private:
  explicit Pattern(std::unique_ptr<re2::RE2> regex) : regex_(std::move(regex)) {}
  std::unique_ptr<re2::RE2> regex_;
};

bool matches_layer(const PlanModel& model, model::LayerId layer, const Pattern& pattern) {
  const std::size_t row = layer.index();
  if (pattern.is_in(model.text(model.layers.type[row])) ||
      pattern.is_in(model.text(model.layers.tactic[row]))) {
    return true;
  }
  const model::RowRange attributes = model.attributes_of(layer);
  for (std::size_t at = attributes.first; at < attributes.end(); ++at) {
    if (pattern.is_in(model.text(model.attributes.value[at]))) return true;
  }
  return false;
}

bool matches(const PlanModel& model, const Node& node, const Pattern& pattern) {
  if (pattern.is_in(node_name(model, node))) return true;
  if (node.kind == NodeKind::kOperation) {
    if (node.operation.is_null())
      return pattern.is_in(model.text(model.sources.op_type[node.source]));
    const std::size_t row = node.operation.index();
    return pattern.is_in(model.text(model.operations.type[row])) ||
           pattern.is_in(model.text(model.operations.parameters[row]));
  }
  return !node.layer.is_null() && matches_layer(model, node.layer, pattern);
}

enum class Way : std::uint8_t { kDown, kUp, kBoth };

// Every node at most `steps` from the starts, in visiting order.
std::vector<NodeId> reached(const PlanGraph& graph, const Adjacency& adjacency,
                            std::span<const NodeId> starts, std::uint32_t steps, Way way) {
  std::vector<bool> seen(graph.nodes.size(), false);
  std::vector<NodeId> nodes;
  const auto reach = [&](NodeId node) {
    if (seen[node.index()]) return;
    seen[node.index()] = true;
    nodes.push_back(node);
  };
  for (const NodeId start : starts) reach(start);
  std::size_t at = 0;
  for (std::uint32_t step = 0; step < steps && at < nodes.size(); ++step) {
    for (const std::size_t end = nodes.size(); at < end; ++at) {
      const NodeId node = nodes[at];
      if (way != Way::kUp) {
        for (const std::uint32_t edge : adjacency.out(node)) reach(graph.edges[edge].to);
      }
      if (way != Way::kDown) {
        for (const std::uint32_t edge : adjacency.in(node)) reach(graph.edges[edge].from);
      }
    }
  }
  return nodes;
}

std::optional<double> time_of(const PlanModel& model, const Node& node) {
  if (node.layer.is_null() || node.kind == NodeKind::kOperation) return std::nullopt;
  return model.time_ms(node.layer);
}

class Selecting {
 public:
  Selecting(const PlanModel& model, const PlanGraph& graph, const SelectionRequest& request)
      : model_(model), graph_(graph), request_(request), adjacency_(graph) {
    selection_.kept.assign(graph.nodes.size(), true);
    is_hit_.assign(graph.nodes.size(), false);
  }

  Result<Selection> run() {
    if (request_.select) PLANEX_TRY(by_pattern());
    if (request_.around) PLANEX_TRY(by_neighbourhood());
    if (request_.between_from || request_.between_to) PLANEX_TRY(by_way());
    if (request_.slowest) PLANEX_TRY(by_time());
    if (request_.remove_disconnected) PLANEX_TRY(without_disconnected());
    for (std::size_t node = 0; node < is_hit_.size(); ++node) {
      if (is_hit_[node] && selection_.kept[node]) selection_.hits.emplace_back(node);
    }
    return std::move(selection_);
  }

 private:
  static constexpr std::uint32_t kAnyDistance = std::numeric_limits<std::uint32_t>::max();

  // Keeps only what is in `nodes`.
  Result<void> keep(std::span<const NodeId> nodes, std::string_view condition) {
    std::vector<bool> wanted(graph_.nodes.size(), false);
    for (const NodeId node : nodes) wanted[node.index()] = true;
    return keep(wanted, condition);
  }

  Result<void> keep(const std::vector<bool>& wanted, std::string_view condition) {
    bool is_empty = true;
    for (std::size_t node = 0; node < wanted.size(); ++node) {
      selection_.kept[node] = selection_.kept[node] && wanted[node];
      is_empty = is_empty && !selection_.kept[node];
    }
    if (!is_empty || graph_.nodes.empty()) return {};
    return fail(ErrorCode::kUsage, format("{} leaves no node", condition),
                "a node must meet all conditions");
  }

  void hit(std::span<const NodeId> nodes) {
    for (const NodeId node : nodes) is_hit_[node.index()] = true;
  }

  Result<void> by_pattern() {
    PLANEX_ASSIGN(const std::vector<NodeId> hits, matching(model_, graph_, *request_.select));
    hit(hits);
    return keep(reached(graph_, adjacency_, hits, request_.neighbours, Way::kBoth),
                format("the selection of {}", quoted(*request_.select)));
  }

  // Up- or downstream, so not other readers of the same input.
  Result<void> by_neighbourhood() {
    PLANEX_ASSIGN(const NodeId middle, find_node(model_, graph_, *request_.around));
    hit({&middle, 1});
    std::vector<NodeId> nodes =
        reached(graph_, adjacency_, {&middle, 1}, request_.radius, Way::kDown);
    const auto up = reached(graph_, adjacency_, {&middle, 1}, request_.radius, Way::kUp);
    nodes.insert(nodes.end(), up.begin(), up.end());
    return keep(nodes, format("the selection of the nodes around {}", quoted(*request_.around)));
  }

  Result<void> by_way() {
    if (!request_.between_from || !request_.between_to) {
      return fail(ErrorCode::kUsage, "a path between two nodes needs both of them");
    }
    PLANEX_ASSIGN(const NodeId from, find_node(model_, graph_, *request_.between_from));
    PLANEX_ASSIGN(const NodeId to, find_node(model_, graph_, *request_.between_to));
    const auto below = reached(graph_, adjacency_, {&from, 1}, kAnyDistance, Way::kDown);
    const auto above = reached(graph_, adjacency_, {&to, 1}, kAnyDistance, Way::kUp);
    std::vector<bool> is_below(graph_.nodes.size(), false), is_between = is_below;
    for (const NodeId node : below) is_below[node.index()] = true;
    if (!is_below[to.index()]) return no_way(from, to);
    for (const NodeId node : above) is_between[node.index()] = is_below[node.index()];
    hit(std::array{from, to});
    return keep(is_between, format("the selection of the paths between {} and {}",
                                   quoted(*request_.between_from), quoted(*request_.between_to)));
  }

  Failure no_way(NodeId from, NodeId to) const {
    const auto below = reached(graph_, adjacency_, {&to, 1}, kAnyDistance, Way::kDown);
    const bool leads_back = std::ranges::find(below, from) != below.end();
    return fail(ErrorCode::kUsage,
                format("no path leads from {} to {}", quoted(*request_.between_from),
                       quoted(*request_.between_to)),
                leads_back ? "there is a path in the other direction" : "");
  }

  Result<void> by_time() {
    std::vector<std::pair<double, NodeId>> timed;
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
      if (const auto time = time_of(model_, graph_.nodes[node])) {
        timed.emplace_back(-*time, NodeId(node));
      }
    }
    if (timed.empty()) {
      return fail(ErrorCode::kUsage, "no layer has a time, so there are no slowest layers",
                  "add the file with layer times to the engine's folder");
    }
    std::ranges::sort(timed);
    timed.resize(std::min<std::size_t>(timed.size(), *request_.slowest));
    std::vector<NodeId> slowest;
    for (const auto& [time, node] : timed) slowest.push_back(node);
    hit(slowest);
    return keep(reached(graph_, adjacency_, slowest, request_.context, Way::kBoth),
                format("the selection of the {} slowest layers", *request_.slowest));
  }

  Result<void> without_disconnected() {
    const base::StringId station = model_.strings.find("TrainStation");
    std::vector<bool> wanted(graph_.nodes.size(), true);
    for (std::size_t node = 0; node < wanted.size(); ++node) {
      const NodeId id(node);
      const model::LayerId layer = graph_.nodes[node].layer;
      const bool is_station =
          !layer.is_null() && !station.is_null() && model_.layers.type[layer.index()] == station;
      wanted[node] = is_station || layer.is_null() || !adjacency_.in(id).empty() ||
                     !adjacency_.out(id).empty();
    }
    return keep(wanted, "leaving out unconnected layers");
  }

  const PlanModel& model_;
  const PlanGraph& graph_;
  const SelectionRequest& request_;
  Adjacency adjacency_;
  Selection selection_;
  std::vector<bool> is_hit_;
};

}  // namespace

Result<std::vector<NodeId>> matching(const PlanModel& model, const PlanGraph& graph,
                                     std::string_view regex) {
  PLANEX_ASSIGN(const Pattern pattern, Pattern::compile(regex));
  std::vector<NodeId> nodes;
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    if (matches(model, graph.nodes[node], pattern)) nodes.emplace_back(node);
  }
  return nodes;
}

Result<Selection> select(const PlanModel& model, const PlanGraph& graph,
                         const SelectionRequest& request) {
  return Selecting(model, graph, request).run();
}

}  // namespace planex::graph
