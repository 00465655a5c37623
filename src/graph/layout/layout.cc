// Draws the levels from the inside out, and nests them.
#include "graph/layout/layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "graph/layout/draw.h"
#include "graph/layout/levels.h"

namespace planex::graph::layout {

namespace {

// Distance of a label from the line it belongs to.
constexpr double kLoopLabelGap = 6;

double size_or_zero(double size) { return std::isfinite(size) && size > 0 ? size : 0; }

Input with_usable_sizes(const Input& input) {
  Input usable = input;
  for (InputBox& box : usable.boxes) {
    box.width = size_or_zero(box.width);
    box.height = size_or_zero(box.height);
    box.weight = size_or_zero(box.weight);
  }
  for (InputEdge& edge : usable.edges) {
    edge.label_width = size_or_zero(edge.label_width);
    edge.label_height = size_or_zero(edge.label_height);
  }
  for (InputFrame& frame : usable.frames) {
    frame.title_width = size_or_zero(frame.title_width);
    frame.title_height = size_or_zero(frame.title_height);
  }
  return usable;
}

class Composer {
 public:
  explicit Composer(const Input& input)
      : input_(input), levels_(build_levels(input, find_trunk_edges(input))) {}

  Layout run() {
    add_loops();
    draw_levels();
    place_levels();
    write_boxes();
    write_edges();
    find_ranks();
    result_.width = drawings_[0].width;
    result_.height = drawings_[0].height;
    return std::move(result_);
  }

 private:
  Node& node_of_box(Index box) {
    return levels_.graphs[levels_.level_of_box[box]].nodes[levels_.node_of_box[box]];
  }

  static bool has_label(const InputEdge& edge) {
    return edge.label_width > 0 && edge.label_height > 0;
  }

  bool is_loop(std::size_t edge) const {
    const InputEdge& e = input_.edges[edge];
    return is_valid_edge(input_, e) && e.from == e.to;
  }

  void add_loops() {
    loops_ = lists_by(input_.boxes.size(), input_.edges.size(),
                      [&](std::size_t i) { return is_loop(i) ? input_.edges[i].from : kNone; });
    for (Index box = 0; box < input_.boxes.size(); ++box) {
      const auto loops = loops_[box];
      Node& node = node_of_box(box);
      node.loops = input_.options.lane_gap * static_cast<double>(loops.size());
      for (const Index edge : loops) {
        if (!has_label(input_.edges[edge])) continue;
        node.loops += kLoopLabelGap + input_.edges[edge].label_width;
        node.loops_height = std::max(node.loops_height, input_.edges[edge].label_height);
      }
    }
  }

  // Inner frames come after outer ones, and later-executed frames mostly after earlier ones: so
  // where lines continue is known when the frame that they leave is drawn.
  void draw_levels() {
    goes_on_at_.assign(levels_.bundle_count, std::numeric_limits<double>::quiet_NaN());
    drawings_.resize(levels_.graphs.size());
    const Options& options = input_.options;
    for (std::size_t level = levels_.graphs.size(); --level > 0;) {
      const auto frame = static_cast<Index>(level - 1);
      for (Node& node : levels_.graphs[level].nodes) {
        if (node.kind == NodeKind::kOut) node.goes_on_at = goes_on_at_[node.ref];
      }
      drawings_[level] = draw(levels_.graphs[level], options, options.frame_pad,
                              input_.frames[frame].title_height);
      fit_frame(frame);
    }
    drawings_[0] = draw(levels_.graphs[0], options, 0, 0);
  }

  void fit_frame(Index frame) {
    const Drawing& inside = drawings_[frame + 1];
    const double title = input_.frames[frame].title_width;
    Graph& around = levels_.graphs[levels_.parent_of_frame[frame]];
    Node& node = around.nodes[levels_.node_of_frame[frame]];
    const double width = std::max(inside.width, 2 * input_.options.frame_pad) + title;
    node.left = title + inside.trunk;
    node.right = width - node.left;
    node.height = std::max(inside.height, 2 * input_.options.frame_pad);
    for (const Node& inner : levels_.graphs[frame + 1].nodes) node.weight += inner.weight;

    // Its ends are identified by their position.
    std::vector<BorderPort>& ports = levels_.borders[frame + 1];
    std::ranges::stable_sort(ports, {},
                             [&](const BorderPort& p) { return inside.nodes[p.node].x; });
    for (Index slot = 0; slot < ports.size(); ++slot) {
      Port& port = around.ports[ports[slot].port];
      port.slot = slot;
      port.offset = inside.nodes[ports[slot].node].x - inside.trunk;
      const Node& border = levels_.graphs[frame + 1].nodes[ports[slot].node];
      if (border.kind == NodeKind::kIn) goes_on_at_[border.ref] = port.offset;
    }
  }

  void place_levels() {
    origin_.resize(drawings_.size());
    result_.frames.resize(input_.frames.size());
    for (Index frame = 0; frame < input_.frames.size(); ++frame) {
      const Index level = levels_.parent_of_frame[frame];
      const Node& node = levels_.graphs[level].nodes[levels_.node_of_frame[frame]];
      const Point at = drawings_[level].nodes[levels_.node_of_frame[frame]];
      const Rect rect{.x = origin_[level].x + at.x - node.left,
                      .y = origin_[level].y + at.y,
                      .width = node.left + node.right,
                      .height = node.height};
      result_.frames[frame] = rect;
      origin_[frame + 1] = {rect.x + input_.frames[frame].title_width, rect.y};
    }
  }

  void write_boxes() {
    result_.boxes.reserve(input_.boxes.size());
    for (Index box = 0; box < input_.boxes.size(); ++box) {
      const Index level = levels_.level_of_box[box];
      const Point at = drawings_[level].nodes[levels_.node_of_box[box]];
      const InputBox& size = input_.boxes[box];
      result_.boxes.push_back({.x = origin_[level].x + at.x - size.width / 2,
                               .y = origin_[level].y + at.y,
                               .width = size.width,
                               .height = size.height});
    }
  }

  void write_edges() {
    result_.labels.resize(input_.edges.size());
    result_.in_lane.resize(input_.edges.size());
    result_.first_point.reserve(input_.edges.size() + 1);
    for (std::size_t edge = 0; edge < input_.edges.size(); ++edge) {
      result_.first_point.push_back(static_cast<Index>(result_.points.size()));
      write_path(edge);
    }
    result_.first_point.push_back(static_cast<Index>(result_.points.size()));
    for (Index box = 0; box < input_.boxes.size(); ++box) write_loops(box);
  }

  void write_path(std::size_t edge) {
    const auto path = std::span(levels_.path)
                          .subspan(levels_.first_path[edge],
                                   levels_.first_path[edge + 1] - levels_.first_path[edge]);
    if (is_loop(edge)) result_.points.resize(result_.points.size() + 4);
    if (path.empty()) return;
    const std::size_t first = result_.points.size();
    for (const auto& [level, link] : path) {
      const Drawing& drawing = drawings_[level];
      const Point origin = origin_[level];
      for (const Point point : drawing.route(link)) {
        add_point(first, {origin.x + point.x, origin.y + point.y});
      }
      if (drawing.in_lane[link]) result_.in_lane[edge] = true;
    }
    const auto& [level, link] = path.back();
    const Point label = drawings_[level].labels[link];
    result_.labels[edge] = {origin_[level].x + label.x, origin_[level].y + label.y};
  }

  // Removes points on a straight line, and makes pieces vertical that only rounding tilts where
  // levels meet.
  void add_point(std::size_t first, Point point) {
    std::vector<Point>& points = result_.points;
    if (points.size() > first && std::abs(points.back().x - point.x) < 1e-6) {
      point.x = points.back().x;
    }
    if (points.size() > first && points.back() == point) return;
    if (points.size() >= first + 2) {
      const Point a = points[points.size() - 2];
      const Point b = points.back();
      const bool is_straight = (a.x == b.x && b.x == point.x) || (a.y == b.y && b.y == point.y);
      if (is_straight) points.pop_back();
    }
    points.push_back(point);
  }

  // One around the other, at the right border.
  void write_loops(Index box) {
    const auto loops = loops_[box];
    const Rect rect = result_.boxes[box];
    const double middle = rect.y + rect.height / 2;
    double label_x = rect.right() + input_.options.lane_gap * static_cast<double>(loops.size());
    double number = 0;
    for (const Index edge : loops) {
      ++number;
      const double reach = 0.4 * rect.height * number / static_cast<double>(loops.size());
      const double x = rect.right() + input_.options.lane_gap * number;
      const auto points = std::span(result_.points).subspan(result_.first_point[edge], 4);
      points[0] = {rect.right(), middle - reach};
      points[1] = {x, middle - reach};
      points[2] = {x, middle + reach};
      points[3] = {rect.right(), middle + reach};
      if (!has_label(input_.edges[edge])) continue;
      label_x += kLoopLabelGap;
      result_.labels[edge] = {label_x, middle - input_.edges[edge].label_height / 2};
      label_x += input_.edges[edge].label_width;
    }
  }

  // Ranks over all levels: one rank of a level spans as many as the frame in it with the most
  // ranks.
  void find_ranks() {
    const std::size_t levels = drawings_.size();
    std::vector<std::vector<Index>> first(levels);  // of each rank of each level, and one more
    for (std::size_t level = levels; level-- > 0;) {
      const Graph& graph = levels_.graphs[level];
      const std::vector<Index>& rank = drawings_[level].rank;
      const Index count = rank.empty() ? 0 : *std::ranges::max_element(rank) + 1;
      std::vector<Index>& sum = first[level];
      sum.assign(count + 1, 0);
      for (std::size_t i = 0; i < rank.size(); ++i) {
        const bool is_frame = graph.nodes[i].kind == NodeKind::kFrame;
        const Index inside = is_frame ? first[graph.nodes[i].ref + 1].back() : 0;
        sum[rank[i] + 1] = std::max({sum[rank[i] + 1], inside, Index{1}});
      }
      for (Index i = 0; i < count; ++i) sum[i + 1] += sum[i];
    }
    std::vector<Index> start(levels, 0);
    for (Index frame = 0; frame < input_.frames.size(); ++frame) {
      const Index level = levels_.parent_of_frame[frame];
      const Index rank = drawings_[level].rank[levels_.node_of_frame[frame]];
      start[frame + 1] = start[level] + first[level][rank];
    }
    result_.rank.reserve(input_.boxes.size());
    for (Index box = 0; box < input_.boxes.size(); ++box) {
      const Index level = levels_.level_of_box[box];
      const Index rank = drawings_[level].rank[levels_.node_of_box[box]];
      result_.rank.push_back(start[level] + first[level][rank]);
    }
  }

  const Input& input_;
  Levels levels_;
  Lists loops_;
  std::vector<Drawing> drawings_;
  std::vector<Point> origin_;  // of each level
  std::vector<double>
      goes_on_at_;  // of each bundle: its place in the last frame drawn that it enters
  Layout result_;
};

}  // namespace

Layout lay_out(const Input& input) {
  const Input usable = with_usable_sizes(input);
  return Composer(usable).run();
}

}  // namespace planex::graph::layout
