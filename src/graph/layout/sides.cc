#include "graph/layout/sides.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace planex::graph::layout {

namespace {

// The minimum length of a horizontal piece, so that an arrowhead fits on it.
constexpr double kMinPiece = 14;
// From the corners of a box.
constexpr double kSideCorner = 5;

class SideFinder {
 public:
  explicit SideFinder(const Part& part) : part_(part) {
    ends_.upper.assign(part.segments.size(), kNotAtSide);
    ends_.lower.assign(part.segments.size(), kNotAtSide);
  }

  SideEnds run() {
    for (Index node = 0; node < part_.node_count(); ++node) {
      if (part_.graph.nodes[node].kind != NodeKind::kBox) continue;
      find(node, 1);
      find(node, -1);
    }
    return std::move(ends_);
  }

 private:
  struct End {
    Index segment = 0;
    bool is_lower = false;  // enters the box
    double distance = 0;    // of the vertical line from the box
  };

  // `side`: 1 right, -1 left.
  void find(Index node, double side) {
    const Node& box = part_.graph.nodes[node];
    if (side > 0 && box.loops > 0) return;
    const double border = part_.items[node].x + (side > 0 ? box.right : -box.left);
    const double room = free_room(node, border, side);
    if (room < kMinPiece) return;
    found_.clear();
    for (const Index segment : part_.above[node]) {
      add(segment, part_.segments[segment].upper, true, border, side, room);
    }
    for (const Index segment : part_.below[node]) {
      add(segment, part_.segments[segment].lower, false, border, side, room);
    }
    if (!found_.empty()) spread(box.height);
  }

  // To the next item at that side.
  double free_room(Index node, double border, double side) const {
    const auto row = part_.rows[part_.items[node].row];
    const Index position = part_.position[node];
    if (side > 0 ? position + 1 == row.size() : position == 0) return 1e15;
    const Item& next = part_.items[row[side > 0 ? position + 1 : position - 1]];
    const double edge = side > 0 ? next.x - next.left : next.x + next.right;
    return (edge - border) * side - part_.options.lane_gap / 2;
  }

  void add(Index segment, Index other, bool is_lower, double border, double side, double room) {
    if (part_.is_node(other) || !part_.items[other].is_skip || part_.items[other].is_trunk) return;
    const double distance = (part_.items[other].x - border) * side;
    if (distance >= kMinPiece && distance <= room) found_.push_back({segment, is_lower, distance});
  }

  // Entering lines are above leaving ones, and those from nearer above those from farther; for
  // leaving lines it is the reverse: so none cross.
  void spread(double height) {
    std::ranges::stable_sort(found_, {}, [](const End& end) {
      return std::pair(!end.is_lower, end.is_lower ? end.distance : -end.distance);
    });
    const double usable = std::max(0.0, height - 2 * kSideCorner);
    const double most = std::floor(usable / part_.options.port_gap) + 1;
    // If there are more lines than fit, all stay above and below, which keeps them together.
    if (static_cast<double>(found_.size()) > most) return;
    const double step = usable / static_cast<double>(found_.size());
    double y = (height - usable) / 2 + step / 2;
    for (const End& end : found_) {
      (end.is_lower ? ends_.lower : ends_.upper)[end.segment] = y;
      y += step;
    }
  }

  const Part& part_;
  SideEnds ends_;
  std::vector<End> found_;
};

}  // namespace

SideEnds find_side_ends(const Part& part) { return SideFinder(part).run(); }

}  // namespace planex::graph::layout
