// Diagnostics from completing a model.
#pragma once

#include <string_view>

#include "model/plan_model.h"

namespace planex::analyze {

// Adds a diagnostic, unless one with this code exists: a model can be completed again, for example
// after it was written to a file and read.
void remark_once(model::PlanModel& model, std::string_view code, std::string_view message,
                 model::Severity severity = model::Severity::kInfo);

}  // namespace planex::analyze
