// The graph as shown: open nodes, folded groups as one box each, frames around open groups. Nodes,
// groups and tensors are numbers here, so that the program and the page fold by the same rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/layout/layout.h"

namespace planex::graph::layout {

struct SeenEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t kind = 0;
  std::uint32_t tensor = kNone;
};

struct Foldable {
  // Per node, in execution order: the innermost group around it, kNone where it is in none.
  std::vector<std::uint32_t> group_of_node;
  // Per node: left out, with its edges. Empty: no node is.
  std::vector<bool> is_hidden;
  // Per group, outer ones before inner ones: the group around it, or kNone.
  std::vector<std::uint32_t> parents;
  // Per group; those inside folded ones don't matter.
  std::vector<bool> is_folded;
  // Those that lead from or to kNone are left out.
  std::vector<SeenEdge> edges;
};

// Edges between the same two boxes with the same kind and tensor become one. So do those of more
// than kMaxParallelEdges tensors, where one of the boxes is a folded group.
inline constexpr std::size_t kMaxParallelEdges = 4;

struct Folded {
  // A node, or a folded group in its place.
  struct Box {
    std::uint32_t node = kNone;   // kNone: a folded group
    std::uint32_t group = kNone;  // kNone: a node
    // Index into `frames` of the innermost open group around it; kNone: none.
    std::uint32_t frame = kNone;
  };
  struct Edge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    // The first of the edges it represents, an index into Foldable::edges, and their number.
    std::uint32_t edge = 0;
    std::uint32_t count = 1;
  };
  struct Frame {
    std::uint32_t group = kNone;
    std::uint32_t parent = kNone;
  };

  // In execution order; edges by target.
  std::vector<Box> boxes;
  std::vector<Edge> edges;
  // Outer frames before inner ones, and none without boxes in it.
  std::vector<Frame> frames;
  // The box that shows each node, kNone where none does.
  std::vector<std::uint32_t> box_of_node;
};

// Cost: O(n log n) in nodes and edges. No recursion.
Folded collapse(const Foldable& graph);

}  // namespace planex::graph::layout
