// Which layers only change type or layout: one answer for all counts and sums of reformats.
#ifndef PLANEX_ANALYZE_COMPLETE_REFORMATS_H_
#define PLANEX_ANALYZE_COMPLETE_REFORMATS_H_

#include "model/plan_model.h"

namespace planex::analyze {

// Sets layers.is_reformat of the layers that do work and whose family is known, be it from their
// names; of others it is not known.
// Cost: O(layers + ports).
void complete_reformats(model::PlanModel& model);

}  // namespace planex::analyze

#endif  // PLANEX_ANALYZE_COMPLETE_REFORMATS_H_
