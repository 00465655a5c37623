// Which tensor each input and output of an engine is.
#pragma once

#include <vector>

#include "model/plan_model.h"

namespace planex::graph {

// By row of `bindings`. Null where no tensor can be told to be it. An engine may call a tensor by
// another name than its binding; then its record of the input or output tells, else their order.
std::vector<model::TensorId> tensors_of_bindings(const model::PlanModel& model);

}  // namespace planex::graph
