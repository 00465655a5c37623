#include "ingest/onnx/known_tensors.h"

#include <algorithm>

#include "base/checked.h"
#include "ingest/onnx/element_type.h"
#include "onnx/attributes.h"

namespace planex::ingest::onnx {

using planex::onnx::AttributeType;
using planex::onnx::DataType;
using planex::onnx::Graph;
using planex::onnx::Index;
using planex::onnx::kNoIndex;
using planex::onnx::Node;
using planex::onnx::Range;
using planex::onnx::SparseTensor;
using planex::onnx::Tensor;
using planex::onnx::Value;
using planex::onnx::ValueKind;

KnownTensors::KnownTensors(const planex::onnx::Model& model) : model_(model) {
  for (Index graph = 0; graph < model.graphs.size(); ++graph) add_graph(graph);
}

const TensorFacts* KnownTensors::find(Index graph, std::string_view name) const {
  while (true) {
    const auto found = tensors_.find({graph, name});
    if (found != tensors_.end()) return &found->second;
    const Index node = model_.graphs[graph].node;
    if (node == kNoIndex) return nullptr;
    graph = model_.nodes[node].graph;
  }
}

void KnownTensors::add_graph(Index index) {
  const Graph& graph = model_.graphs[index];
  // Weights come first: a weight may also be declared as an input.
  for (const Tensor& tensor : model_.initializers_of(graph)) add_weight(index, tensor.name, tensor);
  for (Index i = 0; i < graph.sparse_initializers.count; ++i) {
    add_sparse(index, model_.sparse_tensors[graph.sparse_initializers.first + i]);
  }
  for (const Node& node : model_.nodes_of(graph)) {
    if (node.op_type == "Constant" && node.domain.empty()) add_constant(index, node);
  }
  for (const Value& value : model_.values_of(graph)) add_value(index, value);
}

void KnownTensors::add_weight(Index graph, std::string_view name, const Tensor& tensor) {
  TensorFacts facts{.is_weight = true};
  const auto dims = model_.dims_of(tensor);
  facts.dims_known = std::ranges::none_of(dims, [](std::int64_t dim) { return dim < 0; });
  facts.dims = {static_cast<Index>(dims_.size()), static_cast<Index>(dims.size())};
  dims_.insert(dims_.end(), dims.begin(), dims.end());
  facts.dtype = dtype(tensor.type);
  facts.stored_bytes = bytes_of(model_, tensor);
  if (has_wrong_size(model_, tensor)) {
    // Neither of the two sizes is reliable.
    facts.stored_bytes = std::nullopt;
    if (wrong_size_count_++ == 0) first_wrong_size_ = &tensor;
  }
  if (tensors_.try_emplace({graph, name}, facts).second) count_weight(facts.stored_bytes);
}

void KnownTensors::add_sparse(Index graph, const SparseTensor& sparse) {
  if (sparse.values == kNoIndex) return;
  const Tensor& values = model_.tensors[sparse.values];
  TensorFacts facts{.is_weight = true, .dims_known = true};
  facts.dims = {static_cast<Index>(dims_.size()), sparse.dims.count};
  for (Index i = 0; i < sparse.dims.count; ++i) {
    const std::int64_t dim = model_.dims[sparse.dims.first + i];
    facts.dims_known = facts.dims_known && dim >= 0;
    dims_.push_back(dim);
  }
  facts.dtype = dtype(values.type);
  facts.stored_bytes = bytes_of(model_, values);
  if (sparse.indices != kNoIndex) {
    const auto indices = bytes_of(model_, model_.tensors[sparse.indices]);
    facts.stored_bytes = facts.stored_bytes && indices
                             ? (base::CheckedInt(*facts.stored_bytes) + *indices).value()
                             : std::nullopt;
  }
  if (tensors_.try_emplace({graph, values.name}, facts).second) count_weight(facts.stored_bytes);
}

void KnownTensors::add_value(Index graph, const Value& value) {
  if (value.kind != ValueKind::kTensor && value.kind != ValueKind::kSparse) return;
  TensorFacts facts{.dims_known = value.has_shape, .dtype = dtype(value.type)};
  facts.dims = {static_cast<Index>(dims_.size()), value.dims.count};
  for (const auto& dim : model_.dims_of(value)) dims_.push_back(dim.value);
  tensors_.try_emplace({graph, value.name}, facts);
}

// Attributes: a tensor, or a number or a list of numbers.
void KnownTensors::add_constant(Index graph, const Node& node) {
  const auto outputs = model_.outputs_of(node);
  if (outputs.empty()) return;
  for (const auto& attribute : model_.attributes_of(node)) {
    if (attribute.name == "value" && attribute.tensor != kNoIndex) {
      return add_weight(graph, outputs.front(), model_.tensors[attribute.tensor]);
    }
    const bool is_list =
        attribute.type == AttributeType::kInts || attribute.type == AttributeType::kFloats;
    const bool is_int =
        attribute.type == AttributeType::kInts || attribute.type == AttributeType::kInt;
    const bool is_float =
        attribute.type == AttributeType::kFloats || attribute.type == AttributeType::kFloat;
    if (!attribute.name.starts_with("value_") || !(is_int || is_float)) continue;
    TensorFacts facts{.is_weight = true, .dims_known = true};
    facts.dtype = is_int ? model::DType::kInt64 : model::DType::kFp32;
    const std::size_t count = count_of(attribute);
    facts.dims = {static_cast<Index>(dims_.size()), is_list ? 1u : 0u};
    if (is_list) dims_.push_back(static_cast<std::int64_t>(count));
    facts.stored_bytes = static_cast<std::int64_t>(count * (is_int ? 8 : 4));
    if (tensors_.try_emplace({graph, outputs.front()}, facts).second) {
      count_weight(facts.stored_bytes);
    }
    return;
  }
}

void KnownTensors::count_weight(std::optional<std::int64_t> bytes) {
  ++weight_count_;
  weight_bytes_ =
      weight_bytes_ && bytes ? (base::CheckedInt(*weight_bytes_) + *bytes).value() : std::nullopt;
}

model::DType KnownTensors::dtype(DataType type) {
  const model::DType found = dtype_of(type);
  if (found == model::DType::kNull && type != DataType::kUndefined) ++unknown_types_[type];
  return found;
}

}  // namespace planex::ingest::onnx
