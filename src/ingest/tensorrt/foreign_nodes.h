// Finds the operations of the source model that a layer computes if its name contains only the
// first and the last: "{ForeignNode[a...b]}".
#pragma once

#include "model/builder.h"

namespace planex::ingest::tensorrt {

// Adds to the sources of such layers the operations on all paths between the two, if the source
// model is known and contains both. Layers whose sources are recorded by the engine itself stay
// unchanged.
// Cost: O(operations and their ports), for each layer those between its two ends.
void add_operations_between(model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
