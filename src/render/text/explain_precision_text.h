// `planex explain precision` for the terminal, CSV and Markdown.
#pragma once

#include <string>

#include "analyze/explain/precision.h"
#include "model/plan_model.h"
#include "render/text/table_text.h"

namespace planex::render {

// `all`: every island and every layer of it, not only the costliest.
std::string explain_precision_text(const model::PlanModel& model,
                                   const analyze::PrecisionExplanation& explanation, bool all,
                                   const TableStyle& style);
std::string explain_precision_markdown(const model::PlanModel& model,
                                       const analyze::PrecisionExplanation& explanation);

}  // namespace planex::render
