// Source: Barth, Jünger, Mutzel 2002, Simple and efficient bilayer cross counting.
#include "graph/layout/crossings.h"

namespace planex::graph::layout {

void Accumulator::reset(std::size_t values) {
  tree_.assign(values + 1, 0);
  total_ = 0;
}

void Accumulator::add(std::size_t value) {
  ++total_;
  for (std::size_t i = value + 1; i < tree_.size(); i += i & (~i + 1)) ++tree_[i];
}

std::uint64_t Accumulator::greater_than(std::size_t value) const {
  std::uint64_t not_greater = 0;
  for (std::size_t i = value + 1; i > 0; i -= i & (~i + 1)) not_greater += tree_[i];
  return total_ - not_greater;
}

Crossings::Crossings(Part& part)
    : part_(part),
      ends_above_(part.segments.size()),
      ends_below_(part.segments.size()),
      widths_above_(part.items.size()),
      widths_below_(part.items.size()),
      first_above_(part.items.size()),
      first_below_(part.items.size()),
      row_above_(part.row_count),
      row_below_(part.row_count) {
  for (Index item = 0; item < part.items.size(); ++item) {
    widths_below_[item] = number_ends(part.below[item], &Segment::upper_port, ends_below_);
    widths_above_[item] = number_ends(part.above[item], &Segment::lower_port, ends_above_);
  }
  count_lanes();
  for (Index row = 0; row < part.row_count; ++row) number(row);
}

// Ends of segments at one item with a given order: those of each port get the next number. Returns
// the number of ports; elsewhere all have number 0.
Index Crossings::number_ends(std::span<const Index> segments, Index Segment::* end,
                             std::vector<Index>& numbers) const {
  Index next = 0;
  Index slot = kNone;
  for (const Index segment : segments) {
    const Index port = part_.segments[segment].*end;
    numbers[segment] = 0;
    if (port == kNone) continue;
    if (slot != kNone && part_.graph.ports[port].slot != slot) ++next;
    slot = part_.graph.ports[port].slot;
    numbers[segment] = next;
  }
  return next + 1;
}

void Crossings::count_lanes() {
  lanes_above_.resize(part_.items.size());
  lanes_below_.resize(part_.items.size());
  has_lanes_.assign(part_.row_count + 1, false);
  for (const Lane& lane : part_.lanes) {
    const Index item = part_.graph.ports[lane.from_port].node;
    ++(lane.is_left ? lanes_below_[item].left : lanes_below_[item].right);
    has_lanes_[part_.items[item].row] = true;
  }
  for (const Way& way : part_.ways) {
    if (way.lane == kNone) continue;
    LaneEnds& ends = lanes_above_[way.entry];
    ++(part_.lanes[way.lane].is_left ? ends.left : ends.right);
    if (part_.items[way.entry].row > 0) has_lanes_[part_.items[way.entry].row - 1] = true;
  }
}

void Crossings::number(Index row) {
  Index position = 0;
  Index above = 0;
  Index below = 0;
  for (const Index item : part_.rows[row]) {
    part_.position[item] = position++;
    first_above_[item] = above;
    first_below_[item] = below;
    above += widths_above_[item];
    below += widths_below_[item];
  }
  row_above_[row] = above;
  row_below_[row] = below;
}

// Lines that start at one end don't cross.
std::uint64_t Crossings::add_group(std::span<const Index> segments, Index from_left,
                                   Index from_right, Index right_end) {
  std::uint64_t sum = from_left * tree_.greater_than(0);
  for (const Index segment : segments) sum += tree_.greater_than(lower_end(segment));
  for (Index i = 0; i < from_left; ++i) tree_.add(0);
  for (const Index segment : segments) tree_.add(lower_end(segment));
  for (Index i = 0; i < from_right; ++i) tree_.add(right_end);
  return sum;
}

std::uint64_t Crossings::below(Index row) {
  const auto upper = part_.rows[row];
  const auto lower = part_.rows[row + 1];
  if (upper.size() < 2 && widths_below_[upper[0]] < 2 && !has_lanes_[row]) return 0;
  const Index right_end = row_above_[row + 1] + 1;
  tree_.reset(right_end + 1);
  if (has_lanes_[row]) {
    for (const Index item : lower) {
      for (Index i = 0; i < lanes_above_[item].left; ++i) tree_.add(1 + first_above_[item]);
    }
  }
  std::uint64_t sum = 0;
  for (const Index item : upper) {
    const auto segments = part_.below[item];
    LaneEnds lanes = has_lanes_[row] ? lanes_below_[item] : LaneEnds{};
    for (std::size_t first = 0, end = 0; first < segments.size(); first = end) {
      while (end < segments.size() && ends_below_[segments[end]] == ends_below_[segments[first]]) {
        ++end;
      }
      const bool is_last = end == segments.size();
      sum += add_group(segments.subspan(first, end - first), lanes.left, is_last ? lanes.right : 0,
                       right_end);
      lanes.left = 0;
      if (is_last) lanes.right = 0;
    }
    sum += add_group({}, lanes.left, lanes.right, right_end);
  }
  if (has_lanes_[row]) {
    for (const Index item : lower) {
      sum += lanes_above_[item].right * tree_.greater_than(1 + first_above_[item]);
    }
  }
  return sum;
}

std::uint64_t Crossings::count(Index first, Index last) {
  std::uint64_t sum = 0;
  for (Index row = first; row < last; ++row) sum += below(row);
  return sum;
}

void Crossings::other_ends(Index item, Side side, std::vector<Index>& ends) const {
  ends.clear();
  const Index row = part_.items[item].row;
  const bool is_above = side == Side::kAbove;
  const LaneEnds& lanes = is_above ? lanes_above_[item] : lanes_below_[item];
  if (lanes.left > 0) ends.assign(lanes.left, 0);
  for (const Index segment : is_above ? part_.above[item] : part_.below[item]) {
    ends.push_back(is_above ? upper_end(segment) : lower_end(segment));
  }
  if (lanes.right == 0) return;
  const Index beyond = is_above ? (row > 0 ? row_below_[row - 1] + 1 : 1)
                                : (row + 1 < part_.row_count ? row_above_[row + 1] + 1 : 1);
  ends.insert(ends.end(), lanes.right, beyond);
}

bool Crossings::has_ends(Index item, Side side) const {
  const bool is_above = side == Side::kAbove;
  const LaneEnds& lanes = is_above ? lanes_above_[item] : lanes_below_[item];
  return lanes.left + lanes.right > 0 || !(is_above ? part_.above : part_.below)[item].empty();
}

double Crossings::mean_end(Index item, Side side) const {
  const bool is_above = side == Side::kAbove;
  const Index row = part_.items[item].row;
  const LaneEnds& lanes = is_above ? lanes_above_[item] : lanes_below_[item];
  const auto segments = is_above ? part_.above[item] : part_.below[item];
  double sum = 0;
  for (const Index segment : segments) sum += is_above ? upper_end(segment) : lower_end(segment);
  if (lanes.right > 0) {
    const Index beyond = is_above ? (row > 0 ? row_below_[row - 1] + 1 : 1)
                                  : (row + 1 < part_.row_count ? row_above_[row + 1] + 1 : 1);
    sum += static_cast<double>(lanes.right) * beyond;
  }
  const auto count = static_cast<double>(segments.size() + lanes.left + lanes.right);
  return count > 0 ? sum / count : -1;
}

}  // namespace planex::graph::layout
