// The execution view and the memory view: layers and what flows between them.
#pragma once

#include "graph/plan_graph.h"

namespace planex::graph {

// The edges are not sorted yet.
PlanGraph build_execution_graph(const model::PlanModel& model, const GraphOptions& options);

}  // namespace planex::graph
