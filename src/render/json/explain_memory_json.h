// planex.explain-memory/2.
#ifndef PLANEX_RENDER_JSON_EXPLAIN_MEMORY_JSON_H_
#define PLANEX_RENDER_JSON_EXPLAIN_MEMORY_JSON_H_

#include <string>

#include "analyze/explain/memory_timeline.h"
#include "model/plan_model.h"
#include "render/json/json_writer.h"

namespace planex::render {

// One value: {"schema", "engine", "peak", "other_memory", "contributors": [], "frames":
// {"layer_id": [], "live_bytes": [], "scratch_bytes": []}}; the lists of frames are of one length.
void write_explain_memory(JsonWriter& json, const model::PlanModel& model,
                          const analyze::MemoryTimeline& timeline);

// The same as a document with a line break at its end.
std::string explain_memory_json(const model::PlanModel& model,
                                const analyze::MemoryTimeline& timeline);

}  // namespace planex::render

#endif  // PLANEX_RENDER_JSON_EXPLAIN_MEMORY_JSON_H_
