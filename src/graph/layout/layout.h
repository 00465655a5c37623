// The layered layout: boxes and edges to coordinates. Knows no model, no text and no renderer,
// needs nothing but the standard library, and compiles to WebAssembly as it is.
//
// Units are pixels at scale 1, y grows downwards. The same input gives the same output on every
// machine: no clock, no threads, no hash order; work limits are counted.
//
// Source: Sugiyama, Tagawa, Toda 1981 (layers); docs/design has the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace planex::graph::layout {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

struct Point {
  double x = 0;
  double y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

struct InputBox {
  double width = 0;
  double height = 0;
  // Index of the innermost frame around it; kNone: none.
  std::uint32_t frame = kNone;
  // How strongly the box belongs on the trunk: time of the layer. The heaviest path is drawn
  // straight.
  double weight = 1;
};

struct InputEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  // Edges of one box with the same slot share an end (one tensor that several boxes read leaves its
  // producer once). Ends are in the order of their slots if PortOrder says so.
  std::uint32_t from_slot = kNone;
  std::uint32_t to_slot = kNone;
  // Room for the label beside the edge; 0: no label.
  double label_width = 0;
  double label_height = 0;
  // Thickness it is drawn with.
  double stroke = 1.4;
  // Leads back by its meaning (the next iteration of a loop), so it does not count for ranks.
  bool is_back = false;
};

// Frames nest: an outer one precedes its inner ones in the list.
struct InputFrame {
  std::uint32_t parent = kNone;
  // Minimum room for the frame's own label: a strip at its left, at least this high.
  double title_width = 0;
  double title_height = 0;
};

enum class PortOrder : std::uint8_t {
  kFree,   // with the fewest crossings
  kGiven,  // by slot, from left to right
};

struct Options {
  PortOrder ports = PortOrder::kFree;
  double rank_gap = 20;   // between boxes of one rank and the next, where no label needs more
  double box_gap = 28;    // between boxes side by side
  double lane_gap = 10;   // between edges side by side
  double port_gap = 8;    // minimum distance of two ends on one box
  double frame_pad = 12;  // between a frame and its contents
};

struct Input {
  std::vector<InputBox> boxes;  // in execution order, which breaks ties
  std::vector<InputEdge> edges;
  std::vector<InputFrame> frames;
  Options options;
};

struct Rect {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
  friend bool operator==(const Rect&, const Rect&) = default;
};

struct Layout {
  std::vector<Rect> boxes;   // as in Input::boxes
  std::vector<Rect> frames;  // as in Input::frames
  // Points of edge i: points[first_point[i] .. first_point[i + 1]): from the source's border to the
  // target's, only horizontal and vertical pieces. A self-loop has points too.
  std::vector<Point> points;
  std::vector<std::uint32_t> first_point;
  // Top left corner of the room for each edge's label (meaningless without a label).
  std::vector<Point> labels;
  // Whether the edge runs in a lane beside the boxes between its ends, instead of through ranks.
  std::vector<bool> in_lane;
  // Rank of each box: forward edges lead from a lower to a higher one.
  std::vector<std::uint32_t> rank;
  double width = 0;
  double height = 0;

  std::span<const Point> route(std::size_t edge) const {
    return std::span(points).subspan(first_point[edge], first_point[edge + 1] - first_point[edge]);
  }
};

// Cost: linear in boxes + edges, up to a factor log V; memory linear. No recursion. Input that
// refers to missing boxes or frames is a bug of the caller; such edges and frames are ignored.
Layout lay_out(const Input& input);

}  // namespace planex::graph::layout
