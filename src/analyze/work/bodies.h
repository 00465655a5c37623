// Layers that contain a whole subgraph: If, Loop, Scan, TensorIterator as one record.
#pragma once

#include <cstddef>

#include "model/plan_model.h"

namespace planex::analyze {

// Whether a record represents all that is in its subgraphs: the types and weights that the file
// records for it are those of the condition and the counter, not of the work.
bool is_body(const model::PlanModel& model, std::size_t layer);

// The compute type, weights and work of such layers: from the model's operations inside them, else
// unknown, with a diagnostic. The work of a loop is never known, and that of a conditional only
// where its branches do the same. Operations must be completed, and sizes.
void complete_bodies(model::PlanModel& model);

}  // namespace planex::analyze
