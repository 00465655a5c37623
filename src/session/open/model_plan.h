// What targets would quantize in a model without a compiled engine.
#pragma once

#include <optional>

#include "analyze/summary/model_plan.h"
#include "base/files.h"
#include "model/plan_model.h"

namespace planex::session {

// Null for engines, and for models whose scales can't be read. `files` has the model's external
// data. Cost: that of placing Q/DQ, once per target.
std::optional<analyze::ModelPlan> model_plan(const model::PlanModel& model,
                                             const base::FileSource& files);

}  // namespace planex::session
