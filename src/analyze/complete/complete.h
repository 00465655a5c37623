// Derives what the files do not record: sizes, precision, work, shares.
#pragma once

#include "analyze/timing/reconcile.h"
#include "model/plan_model.h"

namespace planex::analyze {

// Fills the derived columns of `ports`, `layers`, `tensors` and `operations`, and
// engine.batch_size. Columns that a reader has filled stay as they are (a driver can know more than
// can be derived). Definitions: docs/reference/numbers.md. Returns how times and end to end
// reconcile, for summarize(); shares are derived from it.
//
// Adds the diagnostics dynamic-dims where sizes depend on the shapes of an inference, work-in-loops
// and work-unknown (complete_work.h), and summary-of-another-run. Cost: O(layers + ports +
// attributes), besides sorting the sources where the operations of the source model are known.
Reconciliation complete(model::PlanModel& model);

}  // namespace planex::analyze
