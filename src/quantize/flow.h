// A model's main graph as floats flow through it: Q/DQ pairs are skipped, so that a float model and
// one with pairs anywhere look the same.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/links.h"
#include "onnx/model.h"

namespace planex::quantize {

// Place in Links::all().
using TensorId = std::uint32_t;
inline constexpr TensorId kNoTensor = 0xFFFF'FFFF;

// Such an operation outputs the values that it reads: MaxPool, and operations that only move data.
bool keeps_values(std::string_view op_type);

class Flow {
 public:
  // Both must outlive this.
  Flow(const onnx::Model& model, const onnx::Links& links);

  const onnx::Model& model() const { return model_; }
  // The type of an operator in ONNX's own domain; empty for others.
  std::string_view op(onnx::Index node) const;
  bool is_op(onnx::Index node, std::span<const std::string_view> ops) const;
  // Nodes of the main graph: [0, node_count()).
  onnx::Index node_count() const { return node_count_; }
  std::size_t tensor_count() const { return links_.all().size(); }
  bool has_pairs() const { return has_pairs_; }
  bool is_pair_node(onnx::Index node) const;

  // Back through pairs: the float tensor that the output of a DQ represents; else the tensor
  // itself.
  TensorId resolve(TensorId tensor) const;
  // The float tensor at an input, before the Q of a pair; kNoTensor where the input was left out.
  TensorId input(onnx::Index node, std::uint32_t place) const;
  std::span<const TensorId> inputs(onnx::Index node) const;
  TensorId output(onnx::Index node, std::uint32_t place = 0) const;
  TensorId find(std::string_view name) const;
  const onnx::Link& link(TensorId tensor) const { return links_.all()[tensor]; }
  // The node that makes it; kNoIndex for inputs and constants. In a damaged model that can be a
  // node after its readers: code that walks back has to check that numbers decrease.
  onnx::Index maker(TensorId tensor) const {
    return tensor == kNoTensor ? onnx::kNoIndex : makers_[tensor];
  }
  // Nodes that read the float tensor, directly or through a pair; Q and DQ of pairs are not listed.
  std::span<const onnx::Reader> readers(TensorId tensor) const;
  // Model::tensors, where the value is constant: the float, or the integers that a DQ reads.
  onnx::Index constant(TensorId tensor) const;
  // Constant, or computed from constants alone: a bias through a Reshape.
  bool is_fixed(TensorId tensor) const { return is_fixed_[tensor]; }
  // Declared with a type other than float32. False where nothing is declared.
  bool is_declared_otherwise(TensorId tensor) const;

  // "node 17 (Conv)" or its name in quotes: for sentences.
  std::string name_of(onnx::Index node) const;

 private:
  void find_fixed(onnx::Index node);
  bool is_quantizer(onnx::Index node) const;
  bool is_dequantizer(onnx::Index node) const;

  const onnx::Model& model_;
  const onnx::Links& links_;
  onnx::Index node_count_ = 0;
  bool has_pairs_ = false;
  std::vector<bool> is_fixed_;                // by tensor
  std::vector<onnx::Index> makers_;           // by tensor
  std::vector<TensorId> inputs_;              // of all nodes, resolved
  std::vector<std::uint32_t> first_inputs_;   // by node, and the end
  std::vector<onnx::Reader> readers_;         // of all tensors
  std::vector<std::uint32_t> first_readers_;  // by tensor, and the end
};

}  // namespace planex::quantize
