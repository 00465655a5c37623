// Tensor names for the layers of an ONNX Runtime trace.
//
// A trace contains types and shapes of each node's inputs and outputs, but no names, so nothing
// connects one layer to the next. The model that ONNX Runtime saves after optimizing has the names;
// its nodes are the layers of the trace.
#pragma once

#include <cstddef>

#include "ingest/onnx/known_tensors.h"
#include "model/builder.h"
#include "onnx/model.h"
#include "onnx/node_names.h"

namespace planex::ingest::onnx {

struct RuntimePorts {
  bool is_optimised_model = false;  // every layer is a node of the model
  std::size_t missing_count = 0;    // layers that are not
  base::StringId example;           // name of one of them
};

// If the model is the optimized one: rebuilds the ports with the names of the tensors, separates
// weights from activations, adds the inputs and outputs of the model, and passes to `names` how the
// trace calls nodes without names. Otherwise changes nothing.
RuntimePorts take_tensor_names(const planex::onnx::Model& source, const KnownTensors& tensors,
                               planex::onnx::NodeNames& names, model::ModelBuilder& builder);

}  // namespace planex::ingest::onnx
