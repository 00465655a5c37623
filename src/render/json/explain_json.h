// The JSON documents of `planex explain`. Keys are only ever added within a version.
#ifndef PLANEX_RENDER_JSON_EXPLAIN_JSON_H_
#define PLANEX_RENDER_JSON_EXPLAIN_JSON_H_

#include "analyze/explain/totals.h"
#include "model/plan_model.h"
#include "render/json/json_writer.h"

namespace planex::render {

// An object: count, time_ms, share, io_bytes and what the sums lack.
void write_totals(JsonWriter& json, const analyze::LayerTotals& totals);
// The members layer_id, name and type of an object that is open.
void write_layer_members(JsonWriter& json, const model::PlanModel& model, model::LayerId layer);
// An object that says what a row of `ports` is: tensor, dims, dtype, layout, format.
void write_end(JsonWriter& json, const model::PlanModel& model, std::size_t port);

}  // namespace planex::render

#endif  // PLANEX_RENDER_JSON_EXPLAIN_JSON_H_
