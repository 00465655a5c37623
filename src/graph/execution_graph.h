// The execution view and the memory view: layers and what flows between them.
#ifndef PLANEX_GRAPH_EXECUTION_GRAPH_H_
#define PLANEX_GRAPH_EXECUTION_GRAPH_H_

#include "graph/plan_graph.h"

namespace planex::graph {

// Edges are in no order yet.
PlanGraph build_execution_graph(const model::PlanModel& model, const GraphOptions& options);

}  // namespace planex::graph

#endif  // PLANEX_GRAPH_EXECUTION_GRAPH_H_
