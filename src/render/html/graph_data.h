// The graphs of an engine in the report's data: nodes, edges and groups of each view, as columns of
// integers (docs/reference/report-data.md). The page folds, selects and lays out by itself.
#pragma once

#include <vector>

#include "graph/hierarchy.h"
#include "graph/plan_graph.h"
#include "model/plan_model.h"
#include "render/html/string_table.h"
#include "render/json/json_writer.h"

namespace planex::render {

struct GraphOfView {
  graph::PlanGraph graph;
  graph::GroupTree tree;
  std::vector<bool> folded;  // of each group
};

// For the views in which edges lead between nodes. Cost: most of that of a large report's data.
std::vector<GraphOfView> graphs_of_views(const model::PlanModel& model);

// Writes the member "graph".
void write_graph_member(JsonWriter& json, const model::PlanModel& model,
                        const std::vector<GraphOfView>& graphs, StringTable& strings);

}  // namespace planex::render
