// Which operations of the source model a layer computes that its name tells the first and the last
// of: "{ForeignNode[a...b]}".
#pragma once

#include "model/builder.h"

namespace planex::ingest::tensorrt {

// Adds to the sources of such layers the operations on all paths between the two, where the source
// model is known and has both. Layers whose sources the engine itself records stay as they are.
// Cost: O(operations and their ports), for each layer those between its two.
void add_operations_between(model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
