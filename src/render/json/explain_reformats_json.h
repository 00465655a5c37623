// planex.explain-reformats/2
#ifndef PLANEX_RENDER_JSON_EXPLAIN_REFORMATS_JSON_H_
#define PLANEX_RENDER_JSON_EXPLAIN_REFORMATS_JSON_H_

#include <string>

#include "analyze/explain/reformats.h"
#include "render/json/json_writer.h"

namespace planex::render {

// One value: an object that begins with its "schema".
void write_explain_reformats(JsonWriter& json, const model::PlanModel& model,
                             const analyze::ReformatExplanation& explanation);
std::string explain_reformats_json(const model::PlanModel& model,
                                   const analyze::ReformatExplanation& explanation);

// The members "totals", "by_kind", "by_type" and "by_origin".
void write_reformat_totals(JsonWriter& json, const analyze::ReformatExplanation& explanation);

}  // namespace planex::render

#endif  // PLANEX_RENDER_JSON_EXPLAIN_REFORMATS_JSON_H_
