// planex.explain-quantization/2
#ifndef PLANEX_RENDER_JSON_EXPLAIN_QUANTIZATION_JSON_H_
#define PLANEX_RENDER_JSON_EXPLAIN_QUANTIZATION_JSON_H_

#include <string>

#include "analyze/explain/quantization.h"
#include "render/json/json_writer.h"

namespace planex::render {

// One value: an object that begins with its "schema".
void write_explain_quantization(JsonWriter& json, const model::PlanModel& model,
                                const analyze::QuantizationExplanation& explanation);
std::string explain_quantization_json(const model::PlanModel& model,
                                      const analyze::QuantizationExplanation& explanation);

}  // namespace planex::render

#endif  // PLANEX_RENDER_JSON_EXPLAIN_QUANTIZATION_JSON_H_
