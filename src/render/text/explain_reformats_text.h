// `planex explain reformats` for the terminal, CSV and Markdown.
#pragma once

#include <string>

#include "analyze/reformats/reformats.h"
#include "model/plan_model.h"
#include "render/text/table_text.h"

namespace planex::render {

// `all`: every chain, not only the costliest.
std::string explain_reformats_text(const model::PlanModel& model,
                                   const analyze::ReformatExplanation& explanation, bool all,
                                   const TableStyle& style);
std::string explain_reformats_markdown(const model::PlanModel& model,
                                       const analyze::ReformatExplanation& explanation);

}  // namespace planex::render
