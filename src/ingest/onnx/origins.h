// Finds the operations of a model that ONNX Runtime's layers come from.
//
// ONNX Runtime names a layer after the node of its own, optimized model, and does not say which
// source nodes that was made from. But tensors between layers keep their names: the nodes between
// the tensors that a layer writes and those that other layers write became this layer.
#pragma once

#include <cstddef>

#include "model/builder.h"
#include "onnx/model.h"
#include "onnx/node_names.h"

namespace planex::ingest::onnx {

// Adds these operations to the sources of the layers; those of subgraphs stay unchanged. Returns
// how many layers got some. `source` is the model before optimization, `names` are those of its
// nodes; the builder must keep the model's file.
// Cost: O(n) in nodes, ports and sources.
std::size_t add_origins(const planex::onnx::Model& source, const planex::onnx::NodeNames& names,
                        model::ModelBuilder& builder);

}  // namespace planex::ingest::onnx
