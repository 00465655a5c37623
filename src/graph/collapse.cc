#include "graph/collapse.h"

#include <utility>

namespace planex::graph {
namespace {

template <typename Id>
std::uint32_t number_of(Id id) {
  return id.is_null() ? layout::kNone : static_cast<std::uint32_t>(id.index());
}

template <typename Id>
Id id_of(std::uint32_t number) {
  return number == layout::kNone ? Id() : Id(number);
}

}  // namespace

BoxGraph collapse(const PlanGraph& graph, const GroupTree& tree, const std::vector<bool>& folded) {
  layout::Foldable foldable{.is_folded = folded};
  foldable.group_of_node.reserve(graph.nodes.size());
  for (const GroupId group : tree.group_of_node) {
    foldable.group_of_node.push_back(number_of(group));
  }
  foldable.parents.reserve(tree.groups.size());
  for (const Group& group : tree.groups) foldable.parents.push_back(number_of(group.parent));
  foldable.edges.reserve(graph.edges.size());
  for (const Edge& edge : graph.edges) {
    foldable.edges.push_back({.from = number_of(edge.from),
                              .to = number_of(edge.to),
                              .kind = static_cast<std::uint32_t>(edge.kind),
                              .tensor = number_of(edge.tensor)});
  }
  layout::Folded seen = layout::collapse(foldable);
  BoxGraph boxes{.edges = std::move(seen.edges), .box_of_node = std::move(seen.box_of_node)};
  boxes.boxes.reserve(seen.boxes.size());
  for (const auto& box : seen.boxes) {
    boxes.boxes.push_back({id_of<NodeId>(box.node), id_of<GroupId>(box.group), box.frame});
  }
  boxes.frames.reserve(seen.frames.size());
  for (const auto& frame : seen.frames) {
    boxes.frames.push_back({id_of<GroupId>(frame.group), frame.parent});
  }
  return boxes;
}

}  // namespace planex::graph
