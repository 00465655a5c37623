// The source view: operations of the source model and what flows between them.
#pragma once

#include "graph/plan_graph.h"

namespace planex::graph {

// From `operations`, or where there are none from `sources`: then an edge leads from the last
// operation of a layer to the first of each layer that reads it, and layers without sources
// represent themselves. The edges are not sorted yet.
PlanGraph build_source_graph(const model::PlanModel& model, const GraphOptions& options);

}  // namespace planex::graph
