// The judgements of analyses that lint rules report.
#pragma once

#include "analyze/timing/reconcile.h"
#include "analyze/timing/steady_state.h"
#include "model/judgements.h"
#include "model/plan_model.h"

namespace planex::analyze {

// `model` is complete, `time` is the result of complete(), `state` that of find_steady_state().
// Cost: that of explain_quantization().
model::Judgements judge(const model::PlanModel& model, const Reconciliation& time,
                        const std::optional<SteadyState>& state);
// The same, but computes all of them.
model::Judgements judge(const model::PlanModel& model);

}  // namespace planex::analyze
