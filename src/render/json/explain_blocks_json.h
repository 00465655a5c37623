// planex.explain-blocks/2.
#ifndef PLANEX_RENDER_JSON_EXPLAIN_BLOCKS_JSON_H_
#define PLANEX_RENDER_JSON_EXPLAIN_BLOCKS_JSON_H_

#include <string>

#include "analyze/explain/blocks.h"
#include "model/plan_model.h"
#include "render/json/json_writer.h"

namespace planex::render {

// One value: {"schema", "engine", "basis", "total", "repeated": [], "attention": [], "opaque": []}.
void write_explain_blocks(JsonWriter& json, const model::PlanModel& model,
                          const analyze::Blocks& blocks);

// The same as a document, indented, with a line break at its end.
std::string explain_blocks_json(const model::PlanModel& model, const analyze::Blocks& blocks);

// The members "basis", "total" and "repeated".
void write_blocks_head(JsonWriter& json, const analyze::Blocks& blocks);

}  // namespace planex::render

#endif  // PLANEX_RENDER_JSON_EXPLAIN_BLOCKS_JSON_H_
