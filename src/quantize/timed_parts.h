// A model's layers that can be in INT8, each with what runs with it, and how long these parts take
// in a measured engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "onnx/links.h"
#include "onnx/model.h"
#include "onnx/node_names.h"
#include "quantize/float_regions.h"
#include "quantize/measured_engine.h"
#include "quantize/placement.h"

namespace planex::quantize {

struct ModelParts {
  std::vector<onnx::Index> layers;  // Placement::layers, one of each part
  // By node of the main graph: a node that is no layer belongs to the last layer before it, as
  // engines run it with that one. Null: there is none before it.
  std::vector<std::optional<std::uint32_t>> of_node;
  // Tensors with a pair whose maker and readers are in several parts, without costs.
  std::vector<SharedTensor> tensors;
  std::vector<std::optional<std::uint32_t>> maker_of;  // by tensor, its part
};

// Cost: O(nodes and links).
ModelParts parts_of(const onnx::Model& model, const onnx::Links& links, const Placement& placement);

// Nodes of a float model by the names that an engine gives to nodes of a model with Q/DQ that was
// made from it, or to its own. A Q or DQ of an activation stands for the node that makes it, one of
// a weight or of an input of the graph for the first that reads it.
class FloatNodes {
 public:
  // All must outlive this.
  FloatNodes(const onnx::Model& quantized, const onnx::Links& quantized_links,
             const onnx::Model& model, const onnx::Links& links);

  onnx::Index find(std::string_view name) const;  // kNoIndex: it stands for none

 private:
  onnx::Index node_of(onnx::Index quantized) const;

  const onnx::Model& quantized_;
  const onnx::Links& quantized_links_;
  const onnx::Model& model_;
  const onnx::Links& links_;
  onnx::NodeNames quantized_names_, names_;
};

struct PartTimes {
  // By part: of undisturbed inferences, as far as the least times of its layers are known. Null: it
  // has no layer with a time.
  std::vector<std::optional<double>> ms;
  // What is written by the last layer of each part, in bytes; 0: unknown.
  std::vector<std::int64_t> written_bytes;
};

// A layer counts for the parts whose layers it is made from, in equal shares; if there are none,
// for the last of those that its other nodes belong to. Cost: O(nodes of layers).
PartTimes part_times(const MeasuredEngine& engine, const ModelParts& parts,
                     const FloatNodes& nodes);

}  // namespace planex::quantize
