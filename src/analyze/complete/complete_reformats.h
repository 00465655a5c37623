// Which layers only change type or layout: one answer for all counts and sums of reformats.
#pragma once

#include "model/plan_model.h"

namespace planex::analyze {

// Sets layers.is_reformat of the layers that do work and whose family is known, be it from their
// names; of others it is not known.
// Cost: O(layers + ports).
void complete_reformats(model::PlanModel& model);

}  // namespace planex::analyze
