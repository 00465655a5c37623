// Whether the times of inferences are steady: `planex summary --timing`.
#pragma once

#include <string>

#include "analyze/summary/summary.h"
#include "model/plan_model.h"
#include "render/text/table_text.h"

namespace planex::render {

std::string timing_text(const model::PlanModel& model, const analyze::Summary& summary,
                        const TableStyle& style);

}  // namespace planex::render
