// The levels of the picture: the inside of every frame, and what is outside of all. An edge that
// passes borders of frames becomes several links, one in each level; edges of one producer's slot
// share theirs as far as they take the same path.
#pragma once

#include <vector>

#include "graph/layout/graph.h"

namespace planex::graph::layout {

struct LinkRef {
  Index level = 0;
  Index link = 0;
};

// Settled once a frame's inside is drawn: the port of the frame is where the border node is.
struct BorderPort {
  Index port = 0;  // of the level around the frame
  Index node = 0;  // of the level inside
};

struct Levels {
  // levels[0] is the outermost, levels[f + 1] the inside of frame f.
  std::vector<Graph> graphs;
  std::vector<std::vector<BorderPort>> borders;  // of each level
  std::vector<Index> level_of_box;
  std::vector<Index> node_of_box;
  std::vector<Index> parent_of_frame;  // a level
  std::vector<Index> node_of_frame;
  // The links of edge i, from its source to its target: path[first_path[i] .. first_path[i + 1]).
  std::vector<LinkRef> path;
  std::vector<Index> first_path;
  // Bundles are numbered below this.
  Index bundle_count = 0;
};

// Edges that lead to missing boxes, or from a box to itself, have no links.
Levels build_levels(const Input& input, const std::vector<bool>& is_trunk);

// Edges on the heaviest path through all boxes, by execution order.
std::vector<bool> find_trunk_edges(const Input& input);

bool is_valid_edge(const Input& input, const InputEdge& edge);

}  // namespace planex::graph::layout
