// The graph as shown: open nodes, folded groups as one box each, frames around open groups.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/hierarchy.h"
#include "graph/layout/collapse.h"
#include "graph/plan_graph.h"

namespace planex::graph {

// A node, or a folded group in its place.
struct Box {
  NodeId node;    // null: a folded group
  GroupId group;  // null: a node
  // Index into BoxGraph::frames of the innermost open group around it; kNoRow: none.
  std::uint32_t frame = kNoRow;
};

using BoxEdge = layout::Folded::Edge;

struct Frame {
  GroupId group;
  std::uint32_t parent = kNoRow;
};

struct BoxGraph {
  // In execution order; edges by target.
  std::vector<Box> boxes;
  std::vector<BoxEdge> edges;
  // Outer frames before inner ones.
  std::vector<Frame> frames;
  // The box that shows each node.
  std::vector<std::uint32_t> box_of_node;
};

// `folded`: one value per group, from folded_groups(); groups inside folded ones don't matter.
BoxGraph collapse(const PlanGraph& graph, const GroupTree& tree, const std::vector<bool>& folded);

}  // namespace planex::graph
