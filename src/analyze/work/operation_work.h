// Arithmetic work of the source model's operations, from their dims and parameters.
#pragma once

#include "model/plan_model.h"

namespace planex::analyze {

// Fills operations.macs, flops and weight_bytes where they are null and can be determined: macs of
// convolutions, matrix products, attention and recurrent networks, flops of these (2 per MAC) and
// of pointwise operations (one per output element). Null for all others, in loops, and where a dim
// is dynamic that the engine's own layers do not show. Cost: O(operations + operation_ports + ports
// + length of the parameters).
void complete_operations(model::PlanModel& model);

}  // namespace planex::analyze
