// Crossings of lines between neighbouring rows, and the ends of lines that determine the order.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/layout/part.h"

namespace planex::graph::layout {

// Counts how many of the added values are greater than a given one.
class Accumulator {
 public:
  void reset(std::size_t values);
  void add(std::size_t value);
  std::uint64_t greater_than(std::size_t value) const;

 private:
  std::vector<std::uint32_t> tree_;
  std::uint32_t total_ = 0;
};

enum class Side : std::uint8_t { kAbove, kBelow };

// The ends of lines at the items of each row, numbered from left to right. Those at one item share
// a number, unless the order of its ports is given. Lines from and to lanes end beyond the first or
// the last item.
class Crossings {
 public:
  explicit Crossings(Part& part);

  // Call when part.rows has changed.
  void number(Index row);

  // Between a row and the one below it. Cost: O(segments · log row).
  std::uint64_t below(Index row);
  // Between all rows from the first to the last.
  std::uint64_t count(Index first, Index last);

  // The other ends of an item's lines to one side, in no order.
  void other_ends(Index item, Side side, std::vector<Index>& ends) const;
  // Their mean; negative if there are none.
  double mean_end(Index item, Side side) const;
  bool has_ends(Index item, Side side) const;

 private:
  Index number_ends(std::span<const Index> segments, Index Segment::* end,
                    std::vector<Index>& numbers) const;
  void count_lanes();
  std::uint64_t add_group(std::span<const Index> segments, Index from_left, Index from_right,
                          Index right_end);

  Index lower_end(Index segment) const {
    return 1 + first_above_[part_.segments[segment].lower] + ends_above_[segment];
  }
  Index upper_end(Index segment) const {
    return 1 + first_below_[part_.segments[segment].upper] + ends_below_[segment];
  }

  // Lines of an item that lead to lanes, or come from them.
  struct LaneEnds {
    Index left = 0;
    Index right = 0;
  };

  Part& part_;
  // Per segment: the number of its end among those of its item.
  std::vector<Index> ends_above_;
  std::vector<Index> ends_below_;
  // Per item: number of distinct ends, and the ends before it in its row.
  std::vector<Index> widths_above_;
  std::vector<Index> widths_below_;
  std::vector<Index> first_above_;
  std::vector<Index> first_below_;
  // Per row: all its ends.
  std::vector<Index> row_above_;
  std::vector<Index> row_below_;
  std::vector<LaneEnds> lanes_above_;
  std::vector<LaneEnds> lanes_below_;
  std::vector<bool> has_lanes_;  // per row: a line between it and the next goes from or to a lane
  Accumulator tree_;
};

}  // namespace planex::graph::layout
