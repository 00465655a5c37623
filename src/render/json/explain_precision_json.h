// planex.explain-precision/1
#ifndef PLANEX_RENDER_JSON_EXPLAIN_PRECISION_JSON_H_
#define PLANEX_RENDER_JSON_EXPLAIN_PRECISION_JSON_H_

#include <string>

#include "analyze/explain/precision.h"
#include "render/json/json_writer.h"

namespace planex::render {

// One value: an object that begins with its "schema".
void write_explain_precision(JsonWriter& json, const model::PlanModel& model,
                             const analyze::PrecisionExplanation& explanation);
std::string explain_precision_json(const model::PlanModel& model,
                                   const analyze::PrecisionExplanation& explanation);

// All members but the islands.
void write_precision_head(JsonWriter& json, const analyze::PrecisionExplanation& explanation);

}  // namespace planex::render

#endif  // PLANEX_RENDER_JSON_EXPLAIN_PRECISION_JSON_H_
