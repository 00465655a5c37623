// The unit of layout: the inside of one frame, or everything outside of frames. A frame in it is
// one node with ends at fixed places; edges that cross the border around it end in separate nodes,
// at the top (kIn) and at the bottom (kOut).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "graph/layout/layout.h"

namespace planex::graph::layout {

using Index = std::uint32_t;

enum class NodeKind : std::uint8_t { kBox, kFrame, kIn, kOut };

struct Node {
  NodeKind kind = NodeKind::kBox;
  // Index of the box or the frame; for kIn and kOut, the bundle of edges that passes there.
  Index ref = kNone;
  // Width on both sides of its anchor, the line that the trunk runs along. Self-loops at the right
  // of a box are not included.
  double left = 0;
  double right = 0;
  double height = 0;
  double weight = 0;
  // Room for self-loops and their labels, at the right of `right`.
  double loops = 0;
  double loops_height = 0;
  // kOut: where its bundle continues in the frame that it leads to, measured from the trunk there;
  // unknown: NaN.
  double goes_on_at = std::numeric_limits<double>::quiet_NaN();

  bool is_border() const { return kind == NodeKind::kIn || kind == NodeKind::kOut; }
};

// Where links meet a node. Its side follows from use: links end at the top and start at the bottom.
struct Port {
  Index node = 0;
  // Rank among the ends of the node, where their order is given.
  Index slot = 0;
  // From the anchor; only for frames, whose ends are where the inside has them.
  double offset = 0;
};

// A piece of one or more edges between two nodes of one level.
struct Link {
  Index from_port = 0;
  Index to_port = 0;
  double label_width = 0;
  double label_height = 0;
  // Of an edge on the trunk.
  bool is_trunk = false;
  bool is_back = false;

  bool has_label() const { return label_width > 0 && label_height > 0; }
};

struct Graph {
  std::vector<Node> nodes;  // in execution order
  std::vector<Port> ports;
  std::vector<Link> links;  // those that start at one port are consecutive

  Index from(const Link& link) const { return ports[link.from_port].node; }
  Index to(const Link& link) const { return ports[link.to_port].node; }
};

// Where everything in a Graph is; the top left corner is (0, 0).
struct Drawing {
  std::vector<Point> nodes;  // anchor at the top border
  std::vector<Point> points;
  std::vector<Index> first_point;  // of each link, and one more
  std::vector<Point> labels;       // of each link
  std::vector<bool> in_lane;       // of each link
  std::vector<Index> rank;         // of each node
  // The line that the trunk runs along.
  double trunk = 0;
  double width = 0;
  double height = 0;

  std::span<const Point> route(std::size_t link) const {
    return std::span(points).subspan(first_point[link], first_point[link + 1] - first_point[link]);
  }
};

// A list per key, stored consecutively: of[i] is values[first[i] .. first[i + 1]).
struct Lists {
  std::vector<Index> first;
  std::vector<Index> values;

  std::span<const Index> operator[](std::size_t i) const {
    return std::span(values).subspan(first[i], first[i + 1] - first[i]);
  }
  std::span<Index> mutable_list(std::size_t i) {
    return std::span(values).subspan(first[i], first[i + 1] - first[i]);
  }
};

// Sorts 0 .. count - 1 into lists by key, in order. A key of kNone: not in any list.
template <typename Key>
Lists lists_by(std::size_t lists, std::size_t count, const Key& key) {
  Lists result;
  result.first.assign(lists + 1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    if (const Index list = key(i); list != kNone) ++result.first[list + 1];
  }
  for (std::size_t list = 0; list < lists; ++list) result.first[list + 1] += result.first[list];
  result.values.resize(result.first[lists]);
  std::vector<Index> next(result.first.begin(), result.first.end() - 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (const Index list = key(i); list != kNone) {
      result.values[next[list]++] = static_cast<Index>(i);
    }
  }
  return result;
}

}  // namespace planex::graph::layout
