#include "graph/collapse.h"

#include <algorithm>
#include <tuple>

namespace planex::graph {
namespace {

class Collapsing {
 public:
  Collapsing(const PlanGraph& graph, const GroupTree& tree, const std::vector<bool>& folded)
      : graph_(graph), tree_(tree), folded_(folded) {}

  BoxGraph run() {
    place_groups();
    add_boxes();
    add_edges();
    return std::move(boxes_);
  }

 private:
  // Outer groups are listed before inner ones, so one pass tells what each group is seen as.
  void place_groups() {
    const std::size_t count = tree_.groups.size();
    seen_as_.assign(count, GroupId());
    frame_of_.assign(count, kNoRow);
    for (std::size_t group = 0; group < count; ++group) {
      const GroupId parent = tree_.groups[group].parent;
      const std::uint32_t frame = parent.is_null() ? kNoRow : frame_of_[parent.index()];
      if (!parent.is_null()) seen_as_[group] = seen_as_[parent.index()];
      if (!seen_as_[group].is_null()) continue;
      if (folded_[group]) {
        seen_as_[group] = GroupId(group);
        frame_of_[group] = frame;
      } else {
        frame_of_[group] = static_cast<std::uint32_t>(boxes_.frames.size());
        boxes_.frames.push_back({GroupId(group), frame});
      }
    }
  }

  void add_boxes() {
    boxes_.box_of_node.reserve(graph_.nodes.size());
    std::vector<std::uint32_t> box_of_group(tree_.groups.size(), kNoRow);
    for (std::size_t node = 0; node < graph_.nodes.size(); ++node) {
      const GroupId group = tree_.group_of_node[node];
      const GroupId seen = group.is_null() ? group : seen_as_[group.index()];
      const auto next = static_cast<std::uint32_t>(boxes_.boxes.size());
      if (seen.is_null()) {
        const std::uint32_t frame = group.is_null() ? kNoRow : frame_of_[group.index()];
        boxes_.box_of_node.push_back(next);
        boxes_.boxes.push_back({NodeId(node), GroupId(), frame});
        continue;
      }
      std::uint32_t& box = box_of_group[seen.index()];
      if (box == kNoRow) {
        box = next;
        boxes_.boxes.push_back({NodeId(), seen, frame_of_[seen.index()]});
      }
      boxes_.box_of_node.push_back(box);
    }
  }

  void add_edges() {
    std::vector<BoxEdge> edges;
    edges.reserve(graph_.edges.size());
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      const Edge& edge = graph_.edges[i];
      const std::uint32_t from = boxes_.box_of_node[edge.from.index()];
      const std::uint32_t to = boxes_.box_of_node[edge.to.index()];
      if (from != to) edges.push_back({from, to, static_cast<std::uint32_t>(i), 1});
    }
    const auto key = [&](const BoxEdge& edge) {
      const Edge& shown = graph_.edges[edge.edge];
      return std::tuple(edge.to, edge.from, shown.kind, shown.tensor);
    };
    std::ranges::sort(edges, {}, [&](const BoxEdge& edge) {
      return std::tuple_cat(key(edge), std::tuple(edge.edge));
    });
    for (const BoxEdge& edge : edges) {
      if (!boxes_.edges.empty() && key(boxes_.edges.back()) == key(edge)) {
        ++boxes_.edges.back().count;
      } else {
        boxes_.edges.push_back(edge);
      }
    }
    merge_parallel();
    std::ranges::sort(boxes_.edges, {},
                      [](const BoxEdge& edge) { return std::pair(edge.to, edge.edge); });
  }

  bool are_parallel(const BoxEdge& a, const BoxEdge& b) const {
    return a.from == b.from && a.to == b.to &&
           graph_.edges[a.edge].kind == graph_.edges[b.edge].kind;
  }

  bool is_folded(std::uint32_t box) const { return boxes_.boxes[box].node.is_null(); }

  // Edges of many tensors from or to a folded group become one. They stand together.
  void merge_parallel() {
    std::vector<BoxEdge>& edges = boxes_.edges;
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

  const PlanGraph& graph_;
  const GroupTree& tree_;
  const std::vector<bool>& folded_;
  BoxGraph boxes_;
  std::vector<GroupId> seen_as_;         // the outermost folded group; null: open
  std::vector<std::uint32_t> frame_of_;  // its own where it is open, else the one around it
};

}  // namespace

BoxGraph collapse(const PlanGraph& graph, const GroupTree& tree, const std::vector<bool>& folded) {
  return Collapsing(graph, tree, folded).run();
}

}  // namespace planex::graph
