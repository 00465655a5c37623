#include "graph/program_order.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace planex::graph {
namespace {

using model::BlockId;
using model::LayerId;
using model::PlanModel;

constexpr std::int64_t kDefaultStream = 0;

// Rows of `events` by layer, in their own order.
std::vector<std::uint32_t> events_by_layer(const PlanModel& model) {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < model.events.row_count(); ++row) {
    const LayerId layer = model.events.layer_id[row];
    if (!layer.is_null() && model.is_shown(layer)) rows.push_back(static_cast<std::uint32_t>(row));
  }
  std::ranges::stable_sort(rows, {},
                           [&](std::uint32_t row) { return model.events.layer_id[row].index(); });
  return rows;
}

// By layer: the first node at or after it.
std::vector<NodeId> next_nodes(const PlanGraph& graph) {
  std::vector<NodeId> next = graph.node_of_layer;
  for (std::size_t row = next.size(); row-- > 1;) {
    if (next[row - 1].is_null()) next[row - 1] = next[row];
  }
  return next;
}

class OrderEdges {
 public:
  OrderEdges(const PlanModel& model, PlanGraph& graph)
      : model_(model), graph_(graph), events_(events_by_layer(model)) {}

  void run() {
    add_events();
    add_jumps_back();
    add_stations();
  }

 private:
  void add_edge(NodeId from, NodeId to, EdgeKind kind) {
    if (!from.is_null() && !to.is_null() && from != to) {
      graph_.edges.push_back({.from = from, .to = to, .kind = kind});
    }
  }

  std::int64_t stream_of(std::size_t row) const {
    return model_.layers.stream.get(row).value_or(kDefaultStream);
  }

  void add_events() {
    if (events_.empty()) return;
    std::unordered_map<std::int64_t, NodeId> last_on_stream, signalled;
    std::unordered_map<std::int64_t, std::vector<NodeId>> waiting;  // by stream: for these
    auto event = events_.begin();
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      const NodeId node = graph_.node_of_layer[row];
      const std::int64_t stream = stream_of(row);
      const auto first = event;
      while (event != events_.end() && model_.events.layer_id[*event].index() == row) ++event;
      for (auto at = first; at != event; ++at) {
        if (model_.text(model_.events.kind[*at]) != "wait") continue;
        const auto found = signalled.find(model_.events.event_id[*at]);
        if (found == signalled.end()) continue;
        if (node.is_null()) {
          waiting[stream].push_back(found->second);
        } else {
          add_edge(found->second, node, EdgeKind::kEvent);
        }
      }
      if (!node.is_null()) {
        last_on_stream[stream] = node;
        const auto found = waiting.find(stream);
        if (found != waiting.end()) {
          for (const NodeId from : found->second) add_edge(from, node, EdgeKind::kEvent);
          waiting.erase(found);
        }
      }
      for (auto at = first; at != event; ++at) {
        if (model_.text(model_.events.kind[*at]) != "signal") continue;
        const auto last = last_on_stream.find(stream);
        if (last != last_on_stream.end() && !model_.events.event_id.is_null(*at)) {
          signalled[model_.events.event_id[*at]] = last->second;
        }
      }
    }
  }

  // A jump back without a condition, and every jump that is a node.
  void add_jumps_back() {
    const std::vector<NodeId> next = next_nodes(graph_);
    std::size_t row = 0;
    NodeId last;
    for (const std::uint32_t event : events_) {
      const LayerId layer = model_.events.layer_id[event],
                    to = model_.events.target_layer_id[event];
      for (; row <= layer.index(); ++row) {
        if (!graph_.node_of_layer[row].is_null()) last = graph_.node_of_layer[row];
      }
      const std::string_view kind = model_.text(model_.events.kind[event]);
      if (to.is_null() || !kind.starts_with("jump")) continue;
      const bool is_node = !graph_.node_of_layer[layer.index()].is_null();
      const bool leads_back = kind == "jump" && to.index() <= layer.index();
      if (is_node || leads_back) add_edge(last, next[to.index()], EdgeKind::kControl);
    }
  }

  void add_stations() {
    const base::StringId station = model_.strings.find("TrainStation");
    if (station.is_null()) return;
    NodeId last;
    bool was_station = false;
    for (std::size_t row = 0; row < graph_.node_of_layer.size(); ++row) {
      const NodeId node = graph_.node_of_layer[row];
      if (node.is_null()) continue;
      const bool is_station = model_.layers.type[row] == station;
      if (is_station || was_station) add_edge(last, node, EdgeKind::kOrder);
      last = node;
      was_station = is_station;
    }
  }

  const PlanModel& model_;
  PlanGraph& graph_;
  std::vector<std::uint32_t> events_;
};

}  // namespace

void add_order_edges(const PlanModel& model, PlanGraph& graph) { OrderEdges(model, graph).run(); }

JumpTargets::JumpTargets(const PlanModel& model, const PlanGraph& graph) {
  const std::vector<NodeId> next = next_nodes(graph);
  for (const std::uint32_t event : events_by_layer(model)) {
    const LayerId layer = model.events.layer_id[event], to = model.events.target_layer_id[event];
    const std::string_view kind = model.text(model.events.kind[event]);
    if (to.is_null() || (kind != "jump-then" && kind != "jump-else")) continue;
    if (next[to.index()].is_null()) continue;
    if (layers_.empty() || layers_.back() != layer.index()) {
      layers_.push_back(static_cast<std::uint32_t>(layer.index()));
      firsts_.push_back(static_cast<std::uint32_t>(targets_.size()));
    }
    targets_.push_back(next[to.index()]);
  }
  firsts_.push_back(static_cast<std::uint32_t>(targets_.size()));
}

std::span<const NodeId> JumpTargets::of(LayerId layer) const {
  const auto found = std::ranges::lower_bound(layers_, layer.index());
  if (found == layers_.end() || *found != layer.index()) return {};
  const auto at = static_cast<std::size_t>(found - layers_.begin());
  return std::span(targets_).subspan(firsts_[at], firsts_[at + 1] - firsts_[at]);
}

Loops::Loops(const PlanModel& model) : model_(model) {
  const base::StringId loop = model.strings.find("loop");
  const std::size_t count = model.blocks.row_count();
  innermost_.assign(count, BlockId());
  outside_.assign(count, BlockId());
  for (std::size_t block = 0; block < count; ++block) {
    const BlockId parent = model.blocks.parent_id[block];
    // Blocks are listed after those that enclose them.
    if (!parent.is_null() && parent.index() < block) {
      innermost_[block] = outside_[block] = innermost_[parent.index()];
    }
    if (loop.is_null() || model.blocks.kind[block] != loop) continue;
    innermost_[block] = BlockId(block);
    are_there_ = true;
  }
}

BlockId Loops::around(LayerId layer) const {
  const BlockId block = model_.layers.block_id[layer.index()];
  return block.is_null() ? block : innermost_[block.index()];
}

}  // namespace planex::graph
