// Which layers only change type or layout: the one answer that all counts and sums of reformats
// use.
#pragma once

#include "model/plan_model.h"

namespace planex::analyze {

// Sets layers.is_reformat for the layers that do work and whose family is known, even if only from
// their names; for others it is not known. Cost: O(layers + ports).
void complete_reformats(model::PlanModel& model);

}  // namespace planex::analyze
