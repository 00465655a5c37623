// One engine on one screen: `planex summary`.
#pragma once

#include <string>
#include <string_view>

#include "analyze/summary/summary.h"
#include "model/plan_model.h"
#include "render/text/table_text.h"

namespace planex::render {

// `plan` is what the user named, for the commands on the last lines.
std::string summary_text(const model::PlanModel& model, const analyze::Summary& summary,
                         std::string_view plan, const TableStyle& style);

}  // namespace planex::render
