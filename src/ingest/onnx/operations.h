// Nodes of the model as rows of `operations` and `operation_ports`.
#pragma once

#include <cstddef>

#include "ingest/onnx/known_tensors.h"
#include "model/builder.h"
#include "onnx/model.h"
#include "onnx/node_names.h"

namespace planex::ingest::onnx {

struct OperationCounts {
  std::size_t added = 0;
  std::size_t merged = 0;     // existed before and were completed
  std::size_t unmatched = 0;  // existed before and are not nodes of the model
};

// Adds a row for each node. Operations from another file (a build log lists the nodes that its
// parser read) stay unchanged, except that missing values are filled in.
// The builder must keep the model's file.
OperationCounts add_operations(const planex::onnx::Model& source, const KnownTensors& tensors,
                               const planex::onnx::NodeNames& names, model::ModelBuilder& builder);

}  // namespace planex::ingest::onnx
