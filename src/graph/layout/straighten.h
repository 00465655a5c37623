// Makes lines that pass many rows straight, once everything has its place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/layout/part.h"

namespace planex::graph::layout {

// Minimum distance of the places of two neighbours in a row.
double min_distance(const Part& part, Index left, Index right);

// Runs of items that should be vertically aligned.
class Chains {
 public:
  enum class Kind : std::uint8_t {
    kLines,  // the items of links that pass several rows
    kAll,    // plus every other item with one neighbour above and one below
  };
  Chains(const Part& part, Kind kind);

  // Moves each chain onto as few vertical lines as its neighbours leave room for, as near to its
  // ends as possible.
  void straighten(Part& part) const;

 private:
  Index next(const Part& part, Index item) const;
  void straighten(Part& part, std::span<const Index> chain) const;

  Kind kind_;
  std::vector<Index> items_;
  std::vector<Index> first_;  // of each chain in items_, and one more
};

}  // namespace planex::graph::layout
