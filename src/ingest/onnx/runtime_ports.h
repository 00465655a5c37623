// Tensor names for the layers of an ONNX Runtime trace.
//
// A trace has types and shapes of what each node reads and writes, but no names, so nothing ties
// one layer to the next. The model that ONNX Runtime saves after optimizing has the names; its
// nodes are the layers of the trace.
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

// Where the model is the optimized one: makes the ports again with the names of the tensors, splits
// weights from activations, adds the inputs and outputs of the model, and tells `names` what the
// trace calls nodes without names. Otherwise changes nothing.
RuntimePorts take_tensor_names(const planex::onnx::Model& source, const KnownTensors& tensors,
                               planex::onnx::NodeNames& names, model::ModelBuilder& builder);

}  // namespace planex::ingest::onnx
