#include "graph/layout/collapse.h"

#include <algorithm>
#include <array>
#include <utility>

namespace planex::graph::layout {
namespace {

class Collapsing {
 public:
  explicit Collapsing(const Foldable& graph) : graph_(graph) {}

  Folded run() {
    find_shown_groups();
    place_groups();
    add_boxes();
    add_edges();
    return std::move(folded_);
  }

 private:
  using Key = std::array<std::uint32_t, 5>;

  bool is_hidden(std::size_t node) const {
    return !graph_.is_hidden.empty() && graph_.is_hidden[node];
  }

  void find_shown_groups() {
    has_nodes_.assign(graph_.parents.size(), false);
    for (std::size_t node = 0; node < graph_.group_of_node.size(); ++node) {
      const std::uint32_t group = graph_.group_of_node[node];
      if (group != kNone && !is_hidden(node)) has_nodes_[group] = true;
    }
    for (std::size_t group = graph_.parents.size(); group-- > 0;) {
      const std::uint32_t parent = graph_.parents[group];
      if (has_nodes_[group] && parent != kNone) has_nodes_[parent] = true;
    }
  }

  // Outer groups are listed before inner ones, so one pass determines how each group is shown.
  void place_groups() {
    const std::size_t count = graph_.parents.size();
    seen_as_.assign(count, kNone);
    frame_of_.assign(count, kNone);
    for (std::size_t group = 0; group < count; ++group) {
      if (!has_nodes_[group]) continue;
      const std::uint32_t parent = graph_.parents[group];
      const std::uint32_t frame = parent == kNone ? kNone : frame_of_[parent];
      if (parent != kNone) seen_as_[group] = seen_as_[parent];
      if (seen_as_[group] != kNone) continue;
      if (graph_.is_folded[group]) {
        seen_as_[group] = static_cast<std::uint32_t>(group);
        frame_of_[group] = frame;
      } else {
        frame_of_[group] = static_cast<std::uint32_t>(folded_.frames.size());
        folded_.frames.push_back({static_cast<std::uint32_t>(group), frame});
      }
    }
  }

  void add_boxes() {
    const std::size_t count = graph_.group_of_node.size();
    folded_.box_of_node.assign(count, kNone);
    std::vector<std::uint32_t> box_of_group(graph_.parents.size(), kNone);
    for (std::size_t node = 0; node < count; ++node) {
      if (is_hidden(node)) continue;
      const std::uint32_t group = graph_.group_of_node[node];
      const std::uint32_t seen = group == kNone ? kNone : seen_as_[group];
      const auto next = static_cast<std::uint32_t>(folded_.boxes.size());
      if (seen == kNone) {
        const std::uint32_t frame = group == kNone ? kNone : frame_of_[group];
        folded_.box_of_node[node] = next;
        folded_.boxes.push_back({static_cast<std::uint32_t>(node), kNone, frame});
        continue;
      }
      std::uint32_t& box = box_of_group[seen];
      if (box == kNone) {
        box = next;
        folded_.boxes.push_back({kNone, seen, frame_of_[seen]});
      }
      folded_.box_of_node[node] = box;
    }
  }

  std::uint32_t box_of(std::uint32_t node) const {
    return node == kNone ? kNone : folded_.box_of_node[node];
  }

  // Sorted as lists of numbers, both times by the same code: the page includes it.
  void add_edges() {
    std::vector<Key> keys;
    keys.reserve(graph_.edges.size());
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      const SeenEdge& edge = graph_.edges[i];
      const std::uint32_t from = box_of(edge.from), to = box_of(edge.to);
      if (from == kNone || to == kNone || from == to) continue;
      keys.push_back({to, from, edge.kind, edge.tensor, static_cast<std::uint32_t>(i)});
    }
    std::ranges::sort(keys);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto& [to, from, kind, tensor, edge] = keys[i];
      if (i > 0 && std::equal(keys[i].begin(), keys[i].end() - 1, keys[i - 1].begin())) {
        ++folded_.edges.back().count;
      } else {
        folded_.edges.push_back({from, to, edge, 1});
      }
    }
    merge_parallel();
    keys.clear();
    for (const auto& [from, to, edge, count] : folded_.edges) {
      keys.push_back({to, edge, from, count});
    }
    std::ranges::sort(keys);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      folded_.edges[i] = {keys[i][2], keys[i][0], keys[i][1], keys[i][3]};
    }
  }

  bool are_parallel(const Folded::Edge& a, const Folded::Edge& b) const {
    return a.from == b.from && a.to == b.to &&
           graph_.edges[a.edge].kind == graph_.edges[b.edge].kind;
  }

  bool is_folded(std::uint32_t box) const { return folded_.boxes[box].node == kNone; }

  // Edges of many tensors from or to a folded group become one. They are adjacent.
  void merge_parallel() {
    std::vector<Folded::Edge>& edges = folded_.edges;
    std::size_t kept = 0;
    for (std::size_t first = 0, end = 0; first < edges.size(); first = end) {
      for (end = first + 1; end < edges.size() && are_parallel(edges[first], edges[end]);) ++end;
      const bool is_merged = end - first > kMaxParallelEdges &&
                             (is_folded(edges[first].from) || is_folded(edges[first].to));
      for (std::size_t i = first; i < end; ++i) {
        if (is_merged && i > first) {
          edges[kept - 1].count += edges[i].count;
          edges[kept - 1].edge = std::min(edges[kept - 1].edge, edges[i].edge);
        } else {
          edges[kept++] = edges[i];
        }
      }
    }
    edges.resize(kept);
  }

  const Foldable& graph_;
  Folded folded_;
  std::vector<bool> has_nodes_;
  std::vector<std::uint32_t> seen_as_;   // the outermost folded group; kNone: open
  std::vector<std::uint32_t> frame_of_;  // its own where it is open, else the one around it
};

}  // namespace

Folded collapse(const Foldable& graph) { return Collapsing(graph).run(); }

}  // namespace planex::graph::layout
