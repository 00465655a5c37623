// One level of the picture, from nodes and links to a drawing.
#pragma once

#include "graph/layout/graph.h"

namespace planex::graph::layout {

// Draws each connected part separately and packs them in rows, in execution order. Parts that lead
// to the border reach from the top to the bottom, which is at least at `min_height`; `pad` is left
// free around everything else.
Drawing draw(const Graph& graph, const Options& options, double pad, double min_height);

}  // namespace planex::graph::layout
