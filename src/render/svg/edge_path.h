// The path of an edge with round corners, and the head of its arrow.
#pragma once

#include <span>
#include <string>

#include "graph/layout/layout.h"

namespace planex::render {

struct EdgePath {
  std::string line, head;  // values of `d`; empty for fewer than two points
};

// Corners are arcs; the line ends inside the head, which ends at the last point.
EdgePath edge_path(std::span<const graph::layout::Point> route, double stroke);

}  // namespace planex::render
