// How near an engine comes to its device's limits, with the limits from wherever they are known.
#pragma once

#include "analyze/explain/speed.h"
#include "analyze/summary/summary.h"
#include "model/plan_model.h"
#include "planex/error.h"
#include "planex/explain.h"

namespace planex::session {

// The model must be complete. May measure a CPU, which takes a second the first time.
// Errors: kUsage (no such device), those of the device table that the request names.
Result<analyze::SpeedOfLight> speed_of(const model::PlanModel& model,
                                       const analyze::Summary& summary,
                                       const ExplainRequest& request);

}  // namespace planex::session
