// Layers that hold a whole subgraph: If, Loop, Scan, TensorIterator as one record.
#pragma once

#include <cstddef>

#include "model/plan_model.h"

namespace planex::analyze {

// Whether a record stands for all that is in its subgraphs: what the file says of its types and
// weights is about the condition and the counter, not about the work.
bool is_body(const model::PlanModel& model, std::size_t layer);

// What such layers compute in, their weights and their work: of the model's operations that lie in
// them, else unknown, with a diagnostic. The work of a loop is never known, and that of a
// conditional only where its branches do the same. Operations must be completed, and sizes.
void complete_bodies(model::PlanModel& model);

}  // namespace planex::analyze
