// Lines that skip ranks leave a box at its side, and enter the next one there, if nothing is
// between: so the boxes between them keep their distances.
#pragma once

#include <vector>

#include "graph/layout/part.h"

namespace planex::graph::layout {

inline constexpr double kNotAtSide = -1;

// Per segment: how far below the top of the box it meets its side; kNotAtSide: elsewhere.
struct SideEnds {
  std::vector<double> upper;  // where it leaves the box above
  std::vector<double> lower;  // where it enters the box below
};

// For items that have their places.
SideEnds find_side_ends(const Part& part);

}  // namespace planex::graph::layout
