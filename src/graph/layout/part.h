// The work on one connected part of a Graph: nodes become rows of items, links become segments
// between neighbouring rows, or lanes beside all rows. The phases, in order: assign_ranks,
// build_rows, order_rows, place_items, route_links.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/layout/graph.h"

namespace planex::graph::layout {

// Distance of a label from the line it belongs to.
inline constexpr double kLabelGap = 6;

// A node, or the place where a link passes a row, with its label if that is there.
struct Item {
  Index row = 0;
  // Items to its right and left keep clear of x - left .. x + right.
  double left = 0;
  double right = 0;
  double height = 0;
  double x = 0;
  // Passes more than one row, so it should run straight.
  bool is_chain = false;
  bool is_trunk = false;
  // Of a link that skips ranks.
  bool is_skip = false;
};

// From an item to one in the row below.
struct Segment {
  Index upper = 0;
  Index lower = 0;
  // Ports at its ends, if these are nodes.
  Index upper_port = kNone;
  Index lower_port = kNone;
};

// A vertical line beside all rows, for what starts at one port.
struct Lane {
  Index from_port = 0;
  bool is_back = false;
  bool is_left = false;
  // Gaps it reaches, first and last.
  Index first_gap = 0;
  Index last_gap = 0;
  double x = 0;
};

// The route of a link.
struct Way {
  // The segment that ends at the link's target.
  Index last_segment = kNone;
  // The item with its label.
  Index label_item = kNone;
  // Where it runs in a lane: that lane, and the item it enters from there: the target, or the item
  // above the target that has the label.
  Index lane = kNone;
  Index entry = kNone;
};

struct Part {
  const Graph& graph;
  const Options& options;

  // --- assign_ranks
  std::vector<Index> rank;        // of each node
  std::vector<bool> is_reversed;  // of each link: leads back, does not count for ranks
  std::vector<Index> topological;
  Index rank_count = 0;
  std::vector<bool> trunk_node;
  std::vector<bool> trunk_link;

  // --- build_rows
  // Nodes first, then the others.
  std::vector<Item> items;
  // The segment from above, for items that are not nodes (kNone: entered from a lane).
  std::vector<Index> segment_above;
  std::vector<Segment> segments;
  std::vector<Way> ways;  // of each link
  std::vector<Lane> lanes;
  Index row_count = 0;
  Lists below;  // segments of each item to the row below, by the order of ports
  Lists above;

  // --- order_rows
  Lists rows;  // items from left to right
  std::vector<Index> position;

  Index node_count() const { return static_cast<Index>(graph.nodes.size()); }
  bool is_node(Index item) const { return item < graph.nodes.size(); }
};

void assign_ranks(Part& part);
void build_rows(Part& part);
void order_rows(Part& part);
void place_items(Part& part);
Drawing route_links(Part& part);

}  // namespace planex::graph::layout
