// Which operations of a model the layers of ONNX Runtime stem from.
//
// ONNX Runtime names a layer after the node of its own, optimized model, and says nothing of the
// nodes that this one was made of. But tensors between layers keep their names: what the model has
// between the tensors that a layer writes and those that other layers write became this layer.
#pragma once

#include <cstddef>

#include "model/builder.h"
#include "onnx/model.h"
#include "onnx/node_names.h"

namespace planex::ingest::onnx {

// Adds these operations to the sources of the layers; those of subgraphs stay as they are. Returns
// how many layers got some. `source` is the model before it was optimized, `names` those of its
// nodes; the builder must keep the model's file.
// Cost: O(n) in nodes, ports and sources.
std::size_t add_origins(const planex::onnx::Model& source, const planex::onnx::NodeNames& names,
                        model::ModelBuilder& builder);

}  // namespace planex::ingest::onnx
