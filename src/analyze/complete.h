// Derives what the files do not say: sizes, precision, work, shares.
#ifndef PLANEX_ANALYZE_COMPLETE_H_
#define PLANEX_ANALYZE_COMPLETE_H_

#include "model/plan_model.h"

namespace planex::analyze {

// Fills the derived columns of `ports` and `layers` and engine.batch_size. Columns that a reader
// has filled stay as they are (a driver may know more than can be derived). Definitions: the
// design's section 4. Cost: O(layers + ports + attributes).
void complete(model::PlanModel& model);

}  // namespace planex::analyze

#endif  // PLANEX_ANALYZE_COMPLETE_H_
