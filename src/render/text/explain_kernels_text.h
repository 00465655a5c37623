// `planex explain kernels` for the terminal, CSV and Markdown.
#pragma once

#include <string>

#include "analyze/explain/kernels.h"
#include "model/plan_model.h"
#include "render/text/table_text.h"

namespace planex::render {

// `all`: every layer, not only those whose kernels take most.
std::string explain_kernels_text(const model::PlanModel& model,
                                 const analyze::KernelExplanation& explanation, bool all,
                                 const TableStyle& style);
std::string explain_kernels_markdown(const model::PlanModel& model,
                                     const analyze::KernelExplanation& explanation, bool all);

}  // namespace planex::render
