// The graphs of an engine in the report's data: nodes, edges and groups of each view, as columns of
// integers (docs/reference/report-data.md). The page folds, selects and lays out by itself.
#ifndef PLANEX_RENDER_HTML_GRAPH_DATA_H_
#define PLANEX_RENDER_HTML_GRAPH_DATA_H_

#include "model/plan_model.h"
#include "render/html/string_table.h"
#include "render/json/json_writer.h"

namespace planex::render {

// Writes the member "graph". Nothing is written of a view without edges between its nodes.
void write_graph_member(JsonWriter& json, const model::PlanModel& model, StringTable& strings);

}  // namespace planex::render

#endif  // PLANEX_RENDER_HTML_GRAPH_DATA_H_
