// The listing of layers as SQL: one way to filter and sort, for all callers.
#pragma once

#include <string>

#include "model/plan_model.h"
#include "planex/session.h"

namespace planex::session {

// Errors: kUsage (no such column; the message names the nearest).
Result<std::string> layers_sql(const LayersRequest& request, const model::PlanModel& model);

}  // namespace planex::session
