// Times that something other than the engine influenced: a busy machine, a profiler.
#pragma once

#include "analyze/timing/reconcile.h"
#include "model/plan_model.h"

namespace planex::analyze {

// Adds the diagnostics "means-above-medians" and "layers-below-end-to-end" where they apply.
void report_doubtful_times(model::PlanModel& model, const Reconciliation& time);

// Whether something else used a part of the machine while the inferences were timed, as the driver
// recorded.
bool was_machine_busy(const model::PlanModel& model);

}  // namespace planex::analyze
