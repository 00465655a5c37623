// planex.explain-kernels/1
#ifndef PLANEX_RENDER_JSON_EXPLAIN_KERNELS_JSON_H_
#define PLANEX_RENDER_JSON_EXPLAIN_KERNELS_JSON_H_

#include <string>

#include "analyze/explain/kernels.h"
#include "render/json/json_writer.h"

namespace planex::render {

// One value: an object that begins with its "schema".
void write_explain_kernels(JsonWriter& json, const model::PlanModel& model,
                           const analyze::KernelExplanation& explanation);
std::string explain_kernels_json(const model::PlanModel& model,
                                 const analyze::KernelExplanation& explanation);

}  // namespace planex::render

#endif  // PLANEX_RENDER_JSON_EXPLAIN_KERNELS_JSON_H_
