// The judgements of analyses that rules of lint speak of.
#pragma once

#include "analyze/timing/reconcile.h"
#include "analyze/timing/steady_state.h"
#include "model/judgements.h"
#include "model/plan_model.h"

namespace planex::analyze {

// `model` is complete, `time` what complete() returned, `state` what find_steady_state() did.
// Cost: that of explain_quantization().
model::Judgements judge(const model::PlanModel& model, const Reconciliation& time,
                        const std::optional<SteadyState>& state);
// The same, with all of it computed anew.
model::Judgements judge(const model::PlanModel& model);

}  // namespace planex::analyze
