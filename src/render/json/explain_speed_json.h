// planex.explain-speed/2.
#ifndef PLANEX_RENDER_JSON_EXPLAIN_SPEED_JSON_H_
#define PLANEX_RENDER_JSON_EXPLAIN_SPEED_JSON_H_

#include <string>

#include "analyze/explain/speed.h"
#include "model/plan_model.h"
#include "render/json/json_writer.h"

namespace planex::render {

// One value: {"schema", "engine", "device", "basis", "total", "by_type": [], "layers": [],
// "best_seen", "faster_than_bound", "overhead"}.
void write_explain_speed(JsonWriter& json, const model::PlanModel& model,
                         const analyze::SpeedOfLight& speed);

// The same as a document, indented, with a line break at its end.
std::string explain_speed_json(const model::PlanModel& model, const analyze::SpeedOfLight& speed);

// All but the layers: the members before them, and those after.
void write_speed_head(JsonWriter& json, const analyze::SpeedOfLight& speed);
void write_speed_tail(JsonWriter& json, const model::PlanModel& model,
                      const analyze::SpeedOfLight& speed);

}  // namespace planex::render

#endif  // PLANEX_RENDER_JSON_EXPLAIN_SPEED_JSON_H_
