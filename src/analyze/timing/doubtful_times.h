// Times that something else than the engine has made: a busy machine, a profiler.
#pragma once

#include "analyze/timing/reconcile.h"
#include "model/plan_model.h"

namespace planex::analyze {

// Adds diagnostics "means-above-medians" and "layers-below-end-to-end" where they hold.
void report_doubtful_times(model::PlanModel& model, const Reconciliation& time);

// Whether something else took a part of the machine while the inferences were timed, as the driver
// saw it.
bool was_machine_busy(const model::PlanModel& model);

}  // namespace planex::analyze
