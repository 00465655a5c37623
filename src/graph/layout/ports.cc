#include "graph/layout/ports.h"

#include <algorithm>
#include <utility>

#include "graph/layout/fit.h"

namespace planex::graph::layout {

namespace {

// From the corners of a box, if it is wide enough.
constexpr double kCorner = 8;

class PortPlacer {
 public:
  PortPlacer(const Part& part, const SideEnds& sides)
      : part_(part),
        sides_(sides),
        x_(part.graph.ports.size(), 0),
        is_trunk_(part.graph.ports.size(), false) {
    const Graph& graph = part.graph;
    tops_ = lists_by(graph.nodes.size(), graph.links.size(),
                     [&](std::size_t i) { return graph.to(graph.links[i]); });
    for (std::size_t i = 0; i < graph.links.size(); ++i) {
      if (!part.trunk_link[i]) continue;
      is_trunk_[graph.links[i].from_port] = true;
      is_trunk_[graph.links[i].to_port] = true;
    }
    bottoms_ = lists_by(graph.nodes.size(), graph.links.size(),
                        [&](std::size_t i) { return graph.from(graph.links[i]); });
  }

  std::vector<double> run() {
    for (Index port = 0; port < x_.size(); ++port) {
      const Port& p = part_.graph.ports[port];
      x_[port] = part_.items[p.node].x + p.offset;
    }
    for (Index node = 0; node < part_.node_count(); ++node) {
      if (part_.graph.nodes[node].kind == NodeKind::kBox) place_bottom(node);
    }
    for (Index node = 0; node < part_.node_count(); ++node) {
      if (part_.graph.nodes[node].kind == NodeKind::kBox) place_top(node);
    }
    return std::move(x_);
  }

 private:
  struct Candidate {
    Index port = 0;
    double place = 0;
  };

  // Links at the side of a lane are drawn to that side.
  double lane_side(Index link) const {
    return part_.lanes[part_.ways[link].lane].is_left ? -1e12 : 1e12;
  }

  void place_bottom(Index node) {
    candidates_.clear();
    for (const Index segment : part_.below[node]) {
      if (sides_.upper[segment] != kNotAtSide) continue;
      const Segment& s = part_.segments[segment];
      double x = part_.items[s.lower].x;
      if (s.lower_port != kNone) x = within(s.lower, x_[s.lower_port], part_.items[node].x);
      candidates_.push_back({s.upper_port, x});
    }
    for (const Index link : bottoms_[node]) {
      if (part_.ways[link].lane == kNone) continue;
      candidates_.push_back({part_.graph.links[link].from_port, lane_side(link)});
    }
    place_side(node);
  }

  void place_top(Index node) {
    candidates_.clear();
    for (const Index segment : part_.above[node]) {
      if (sides_.lower[segment] != kNotAtSide) continue;
      const Segment& s = part_.segments[segment];
      candidates_.push_back(
          {s.lower_port, s.upper_port != kNone ? x_[s.upper_port] : part_.items[s.upper].x});
    }
    for (const Index link : tops_[node]) {
      if (part_.ways[link].lane == kNone || part_.ways[link].entry != node) continue;
      candidates_.push_back({part_.graph.links[link].to_port, lane_side(link)});
    }
    place_side(node);
  }

  // The place on a node nearest to x: where its port can go.
  double within(Index node, double port, double x) const {
    const Node& n = part_.graph.nodes[node];
    if (n.kind != NodeKind::kBox) return port;
    const double anchor = part_.items[node].x;
    return std::clamp(x, anchor - n.left + corner(n), anchor + n.right - corner(n));
  }
  static double corner(const Node& node) { return std::min(kCorner, (node.left + node.right) / 4); }

  void place_side(Index node) {
    if (candidates_.empty()) return;
    merge_candidates();
    const Node& n = part_.graph.nodes[node];
    const double anchor = part_.items[node].x;
    const double first = anchor - n.left + corner(n);
    const double last = anchor + n.right - corner(n);
    const auto gaps = static_cast<double>(candidates_.size() - 1);
    const double distance = std::min(part_.options.port_gap, gaps > 0 ? (last - first) / gaps : 0);
    line_.clear();
    std::size_t trunk = kNone;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (is_trunk_[candidates_[i].port]) trunk = i;
      line_.push_back({std::clamp(candidates_[i].place, first, last), 1, distance});
    }
    if (trunk == kNone) {
      fitter_.fit(line_, first, last);
    } else {
      const auto before = static_cast<double>(trunk);
      const double middle =
          std::clamp(anchor, first + before * distance, last - (gaps - before) * distance);
      line_[trunk].place = middle;
      fitter_.fit(std::span(line_).first(trunk), first, middle - distance);
      fitter_.fit(std::span(line_).subspan(trunk + 1), middle + distance, last);
    }
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      x_[candidates_[i].port] = line_[i].place;
    }
  }

  // One per port, at the median of its own, from left to right or as the slots say.
  void merge_candidates() {
    std::ranges::stable_sort(candidates_, {},
                             [](const Candidate& c) { return std::pair(c.port, c.place); });
    std::size_t count = 0;
    for (std::size_t first = 0, end = 0; first < candidates_.size(); first = end) {
      while (end < candidates_.size() && candidates_[end].port == candidates_[first].port) ++end;
      candidates_[count++] = candidates_[(first + end - 1) / 2];
    }
    candidates_.resize(count);
    std::ranges::stable_sort(candidates_, {}, [&](const Candidate& c) {
      return std::pair(part_.graph.ports[c.port].slot, c.place);
    });
  }

  const Part& part_;
  const SideEnds& sides_;
  std::vector<double> x_;
  std::vector<bool> is_trunk_;
  Lists tops_;
  Lists bottoms_;
  std::vector<Candidate> candidates_;
  std::vector<Wish> line_;
  Fitter fitter_;
};

}  // namespace

std::vector<double> place_ports(const Part& part, const SideEnds& sides) {
  return PortPlacer(part, sides).run();
}

}  // namespace planex::graph::layout
