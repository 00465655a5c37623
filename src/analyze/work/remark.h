// What completing a model finds odd about it.
#pragma once

#include <string_view>

#include "model/plan_model.h"

namespace planex::analyze {

// Adds a diagnostic, unless there is one of this code: a model may be completed
// again, as one that was written to a file and read.
void remark_once(model::PlanModel& model, std::string_view code, std::string_view message,
                 model::Severity severity = model::Severity::kInfo);

}  // namespace planex::analyze
