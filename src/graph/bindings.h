// Finds the tensor of each input and output of an engine.
#pragma once

#include <vector>

#include "model/plan_model.h"

namespace planex::graph {

// By row of `bindings`. Null where no tensor can be identified. An engine can give a tensor another
// name than its binding; then its record of the input or output decides, else their order.
std::vector<model::TensorId> tensors_of_bindings(const model::PlanModel& model);

}  // namespace planex::graph
