// The vertical order of horizontal pieces of lines in the gap between two rows, so that none
// overlap and few cross.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/layout/graph.h"
#include "graph/layout/range_max.h"

namespace planex::graph::layout {

struct Piece {
  double from = 0;  // where it comes from above
  double low = 0;   // range that it spans
  double high = 0;
  Index track = 0;  // result
};

class Tracks {
 public:
  // Assigns every piece a track, counted from above; returns their number. Cost: O(n log² n).
  Index assign(std::span<Piece> pieces, double min_distance);

 private:
  void reset(std::span<const Piece> pieces, double min_distance);
  std::size_t place(double x) const;

  // All ends, sorted, and the first track that is free from one to the next.
  std::vector<double> ends_;
  RangeMax<Index> taken_;
  std::vector<Index> order_;
};

}  // namespace planex::graph::layout
