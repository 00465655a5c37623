#include "graph/layout/straighten.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace planex::graph::layout {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
// Between a box and a line at its side, so that the line can enter there.
constexpr double kSideRoom = 15;

struct Range {
  double low = -kUnbounded;
  double high = kUnbounded;
};

bool is_box(const Part& part, Index item) {
  return part.is_node(item) && !part.graph.nodes[item].is_border();
}

double port_offset(const Part& part, Index port) {
  return port == kNone ? 0 : part.graph.ports[port].offset;
}

// Position of the lower item relative to the upper one, if their line is vertical.
double offset_below(const Part& part, const Segment& segment) {
  return port_offset(part, segment.upper_port) - port_offset(part, segment.lower_port);
}

// Where an item can stand between its neighbours.
Range room(const Part& part, Index item) {
  const auto row = part.rows[part.items[item].row];
  const Index position = part.position[item];
  Range range;
  if (position > 0) {
    const Index left = row[position - 1];
    range.low = part.items[left].x + min_distance(part, left, item);
  }
  if (position + 1 < row.size()) {
    const Index right = row[position + 1];
    range.high = part.items[right].x - min_distance(part, item, right);
  }
  // Where rounding leaves no room at all, the item stays.
  if (range.low > range.high) range.low = range.high = part.items[item].x;
  return range;
}

// Ends that a chain comes from or leads to.
struct End {
  bool is_there = false;
  double x = 0;
  double left = 0;
  double right = 0;
};

End end_at(const Part& part, Index item, double x) {
  const Item& it = part.items[item];
  return {.is_there = true, .x = x, .left = it.x - it.left, .right = it.x + it.right};
}

End end_above(const Part& part, Index item) {
  const auto segments = part.above[item];
  if (segments.empty()) return {};
  const Segment& s = part.segments[segments[segments.size() / 2]];
  return end_at(part, s.upper, part.items[s.upper].x + offset_below(part, s));
}

End end_below(const Part& part, Index item) {
  const auto segments = part.below[item];
  if (segments.empty()) return {};
  const Segment& s = part.segments[segments[segments.size() / 2]];
  return end_at(part, s.lower, part.items[s.lower].x - offset_below(part, s));
}

bool contains(Range range, double x) { return x >= range.low && x <= range.high; }

// Aligned with its source, or with its target; else beside both; else between them.
double aim(const End& from, const End& to, Range range, double now) {
  if (!from.is_there && !to.is_there) return std::clamp(now, range.low, range.high);
  if (!to.is_there) return std::clamp(from.x, range.low, range.high);
  if (!from.is_there) return std::clamp(to.x, range.low, range.high);
  if (contains(range, from.x)) return from.x;
  if (contains(range, to.x)) return to.x;
  if (range.low > std::max(from.x, to.x)) {
    const double beside = std::max(from.right, to.right) + kSideRoom;
    return std::clamp(beside, range.low, std::min(range.high, range.low + 2 * kSideRoom));
  }
  if (range.high < std::min(from.x, to.x)) {
    const double beside = std::min(from.left, to.left) - kSideRoom;
    return std::clamp(beside, std::max(range.low, range.high - 2 * kSideRoom), range.high);
  }
  return std::clamp((from.x + to.x) / 2, range.low, range.high);
}

}  // namespace

double min_distance(const Part& part, Index left, Index right) {
  const bool boxes = is_box(part, left) && is_box(part, right);
  return part.items[left].right + part.items[right].left +
         (boxes ? part.options.box_gap : part.options.lane_gap);
}

Chains::Chains(const Part& part, Kind kind) : kind_(kind) {
  std::vector<bool> is_taken(part.items.size(), false);
  // From the top row, so the first item found of a chain is its highest.
  for (const Index start : part.rows.values) {
    const Item& item = part.items[start];
    if (is_taken[start] || item.is_trunk || (kind == Kind::kLines && !item.is_chain)) continue;
    first_.push_back(static_cast<Index>(items_.size()));
    for (Index at = start; at != kNone && !is_taken[at]; at = next(part, at)) {
      items_.push_back(at);
      is_taken[at] = true;
    }
  }
  first_.push_back(static_cast<Index>(items_.size()));
}

// The item of the same chain in the row below.
Index Chains::next(const Part& part, Index item) const {
  const auto below = part.below[item];
  if (kind_ == Kind::kAll) {
    if (below.size() != 1) return kNone;
    const Index lower = part.segments[below[0]].lower;
    return part.above[lower].size() == 1 && !part.items[lower].is_trunk ? lower : kNone;
  }
  for (const Index segment : below) {
    const Index lower = part.segments[segment].lower;
    if (part.items[lower].is_chain && !part.items[lower].is_trunk) return lower;
  }
  return kNone;
}

void Chains::straighten(Part& part, std::span<const Index> chain) const {
  const End above = end_above(part, chain.front());
  const End below = end_below(part, chain.back());
  // Offset of each item from the first one, if lines between them are vertical.
  double offset = 0;
  double offset_of_last = 0;
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    offset_of_last += offset_below(part, part.segments[part.above[chain[i + 1]][0]]);
  }
  End to = below;
  to.x -= offset_of_last;
  for (std::size_t first = 0, end = 0; first < chain.size(); first = end) {
    Range range = room(part, chain[first]);
    range = {range.low - offset, range.high - offset};
    double next_offset = offset;
    for (end = first + 1; end < chain.size(); ++end) {
      const double step = offset_below(part, part.segments[part.above[chain[end]][0]]);
      const Range next = room(part, chain[end]);
      const Range both{std::max(range.low, next.low - next_offset - step),
                       std::min(range.high, next.high - next_offset - step)};
      if (both.low > both.high) break;
      range = both;
      next_offset += step;
    }
    const double x = aim(above, to, range, part.items[chain[first]].x - offset);
    for (std::size_t i = first; i < end; ++i) {
      if (i > first) offset += offset_below(part, part.segments[part.above[chain[i]][0]]);
      part.items[chain[i]].x = x + offset;
    }
    if (end < chain.size()) offset += offset_below(part, part.segments[part.above[chain[end]][0]]);
  }
}

void Chains::straighten(Part& part) const {
  // Those near the trunk first, so that they make room for the others.
  std::vector<Index> order(first_.size() - 1);
  for (Index i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(
      order, {}, [&](Index chain) { return std::abs(part.items[items_[first_[chain]]].x); });
  for (const Index chain : order) {
    straighten(part, std::span(items_).subspan(first_[chain], first_[chain + 1] - first_[chain]));
  }
}

}  // namespace planex::graph::layout
