// Where lines meet the nodes of a part.
#pragma once

#include <vector>

#include "graph/layout/part.h"
#include "graph/layout/sides.h"

namespace planex::graph::layout {

// The x of each port, for items that have their places. Ports are vertically aligned with what they
// lead to as far as there is room, else spread over the width of the box. Ends at the sides of
// boxes take no room.
std::vector<double> place_ports(const Part& part, const SideEnds& sides);

}  // namespace planex::graph::layout
