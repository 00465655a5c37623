// What a model says about its tensors, by name: weights, declared values, outputs of Constant
// nodes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/types.h"
#include "onnx/model.h"

namespace planex::ingest::onnx {

struct TensorFacts {
  bool is_weight = false;  // its data is in the model's files
  bool dims_known = false;
  planex::onnx::Range dims;  // see KnownTensors::dims_of
  model::DType dtype = model::DType::kNull;
  std::optional<std::int64_t> stored_bytes;  // of weights, where known
};

class KnownTensors {
 public:
  explicit KnownTensors(const planex::onnx::Model& model);

  // The tensor of this name as seen by nodes of `graph`: in it, or in a graph around it. Null if
  // the model says nothing about it. Cost: O(depth of the graph).
  const TensorFacts* find(planex::onnx::Index graph, std::string_view name) const;

  std::span<const std::int64_t> dims_of(const TensorFacts& facts) const {
    return std::span(dims_).subspan(facts.dims.first, facts.dims.count);
  }

  // Tensors with an element type that the model's tables have no word for.
  const std::map<planex::onnx::DataType, std::size_t>& unknown_types() const {
    return unknown_types_;
  }
  // Weights whose data is shorter or longer than their type and dims imply, and the first of them.
  std::size_t wrong_size_count() const { return wrong_size_count_; }
  const planex::onnx::Tensor* first_wrong_size() const { return first_wrong_size_; }

  std::size_t weight_count() const { return weight_count_; }
  // Null if the size of one of them is unknown.
  std::optional<std::int64_t> weight_bytes() const { return weight_bytes_; }

 private:
  struct Key {
    planex::onnx::Index graph;
    std::string_view name;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return std::hash<std::string_view>()(key.name) ^ (key.graph * std::size_t{0x9E37'79B9});
    }
  };

  void add_graph(planex::onnx::Index graph);
  void add_weight(planex::onnx::Index graph, std::string_view name,
                  const planex::onnx::Tensor& tensor);
  void add_sparse(planex::onnx::Index graph, const planex::onnx::SparseTensor& sparse);
  void add_value(planex::onnx::Index graph, const planex::onnx::Value& value);
  void add_constant(planex::onnx::Index graph, const planex::onnx::Node& node);
  void count_weight(std::optional<std::int64_t> bytes);
  model::DType dtype(planex::onnx::DataType type);

  const planex::onnx::Model& model_;
  std::unordered_map<Key, TensorFacts, KeyHash> tensors_;
  std::vector<std::int64_t> dims_;
  std::map<planex::onnx::DataType, std::size_t> unknown_types_;
  std::size_t wrong_size_count_ = 0;
  const planex::onnx::Tensor* first_wrong_size_ = nullptr;
  std::size_t weight_count_ = 0;
  std::optional<std::int64_t> weight_bytes_ = 0;
};

}  // namespace planex::ingest::onnx
