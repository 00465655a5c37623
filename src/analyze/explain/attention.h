// Finds attention: softmax(Q·Kᵀ)·V, as one kernel or as separate layers.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "analyze/explain/blocks.h"
#include "graph/plan_graph.h"
#include "model/plan_model.h"

namespace planex::analyze {

// In execution order, without times. A layer belongs to one block at most:
//  - by its kernel, type or name: fmha, mha, attention;
//  - by its operations: a softmax and two products or more in one layer;
//  - else, from each layer with a softmax: the nearest product before it and the nearest after it,
//    through layers that are not products. Products are of two activations, not of weights. The
//    layers on the way belong to the block.
//  - else, where a generated kernel has the softmax of an operation called after attention.
std::vector<AttentionBlock> find_attention(const model::PlanModel& model,
                                           const graph::PlanGraph& graph);

// The type of a source operation: as the engine records it, else the word in its name; "not known"
// without either.
std::string_view operation_type(const model::PlanModel& model, std::size_t source);

}  // namespace planex::analyze
