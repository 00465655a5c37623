// A model shown as an engine of its own, before anything is compiled from it: its nodes are the
// layers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/files.h"
#include "ingest/onnx/known_tensors.h"
#include "model/builder.h"
#include "onnx/links.h"
#include "onnx/model.h"
#include "onnx/node_names.h"
#include "onnx/shapes.h"
#include "onnx/types.h"
#include "onnx/values.h"

namespace planex::ingest::onnx {

class ModelLayers {
 public:
  // The builder must keep the file, and have no layers yet.
  ModelLayers(std::string_view file, const planex::onnx::Model& source, const KnownTensors& tensors,
              model::ModelBuilder& builder);

  // Adds a layer for each node of the main graph, in its order; subgraphs and functions are part of
  // the node that runs them. `names` receives the names given here to nodes without names.
  // Cost: O(nodes and their inputs).
  void add(planex::onnx::NodeNames& names);

  // After add_operations(): the shapes and types of their tensors that the file omits and that
  // follow from others.
  void complete_operations();

  // Only the first dimension of every input is dynamic: sizes and work are for a batch of 1.
  bool is_batch_assumed() const { return shapes_.is_batch_assumed(); }
  const planex::onnx::Shapes& shapes() const { return shapes_; }
  std::size_t call_count() const { return call_count_; }  // layers that call a local function

 private:
  void add_layer(planex::onnx::Index index, planex::onnx::NodeNames& names);
  void add_ports(model::LayerId layer, planex::onnx::Index index);
  void add_port(model::LayerId layer, model::Direction direction, std::string_view name);
  void set_weight_bytes(model::LayerId layer, planex::onnx::Index index);
  void add_bindings();
  void find_captured();
  model::Family family(const planex::onnx::Node& node) const;
  std::string_view text(std::string_view name);

  const planex::onnx::Model& source_;
  const KnownTensors& tensors_;
  model::ModelBuilder& builder_;
  base::MemoryFiles no_files_;
  planex::onnx::Links links_;
  planex::onnx::Values values_;
  planex::onnx::Shapes shapes_;
  planex::onnx::Types types_;
  // By node: tensors of the main graph that its subgraphs read.
  std::unordered_map<planex::onnx::Index, std::vector<std::string_view>> captured_;
  std::size_t call_count_ = 0;
};

}  // namespace planex::ingest::onnx
