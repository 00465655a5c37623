#include "onnx/types.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "onnx/attributes.h"

namespace planex::onnx {
namespace {

// Their outputs are bool.
constexpr std::array<std::string_view, 11> kTruth = {
    "OptionalHasElement", "And", "Equal", "Greater", "GreaterOrEqual", "IsInf", "IsNaN", "Less",
    "LessOrEqual",        "Not", "Or"};
// Their outputs are int64.
constexpr std::array<std::string_view, 7> kCount = {
    "ArgMax", "ArgMin", "NonMaxSuppression", "NonZero", "SequenceLength", "Shape", "Size"};

// The type whose number an attribute gives, or the fallback.
DataType named_type(const Model& model, const Node& node, std::string_view name,
                    DataType fallback) {
  const Attribute* found = find_attribute(model, node, name);
  const auto number = found == nullptr ? std::nullopt : int_of(*found);
  return number ? static_cast<DataType>(*number) : fallback;
}

}  // namespace

Types::Types(const Model& model) : model_(model) {
  const Graph& main = model.graphs.front();
  for (const Value& value : model.values_of(main)) {
    if (value.kind == ValueKind::kTensor && value.type != DataType::kUndefined) {
      types_.try_emplace(value.name, value.type);
    }
  }
  for (const Tensor& tensor : model.initializers_of(main)) types_[tensor.name] = tensor.type;
  for (Index graph = 0; graph < model.graphs.size(); ++graph) {
    if (model.graphs[graph].kind == GraphKind::kSubgraph) {
      bodies_.try_emplace(model.graphs[graph].node, graph);
    }
  }
  for (Index i = 0; i < main.nodes.count; ++i) look_at(main.nodes.first + i);
}

DataType Types::of(std::string_view tensor) const {
  const auto found = types_.find(tensor);
  if (found == types_.end() || sequences_.contains(tensor)) return DataType::kUndefined;
  return found->second;
}

bool Types::makes_sequence(const Node& node) const {
  if (!node.domain.empty()) return false;
  const std::string_view type = node.op_type;
  if (type == "SequenceAt" || type == "SequenceLength" || type == "ConcatFromSequence" ||
      type == "OptionalGetElement" || type == "OptionalHasElement") {
    return false;
  }
  if (type.starts_with("Sequence") || type == "SplitToSequence" || type == "Optional") return true;
  const auto inputs = model_.inputs_of(node);
  return !inputs.empty() && sequences_.contains(inputs.front());
}

void Types::look_at(Index index) {
  const auto outputs = model_.outputs_of(model_.nodes[index]);
  const bool is_sequence = makes_sequence(model_.nodes[index]);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].empty() || types_.contains(outputs[i])) continue;
    const DataType type = type_of(index, i);
    if (type == DataType::kUndefined) continue;
    types_.emplace(outputs[i], type);
    if (is_sequence) sequences_.insert(outputs[i]);
  }
}

DataType Types::type_of_constant(const Node& node) const {
  for (const Attribute& attribute : model_.attributes_of(node)) {
    if (attribute.name == "value" && attribute.tensor != kNoIndex) {
      return model_.tensors[attribute.tensor].type;
    }
    if (attribute.name.starts_with("value_float")) return DataType::kFloat;
    if (attribute.name.starts_with("value_int")) return DataType::kInt64;
    if (attribute.name.starts_with("value_string")) return DataType::kString;
  }
  return node.op_type == "ConstantOfShape" ? DataType::kFloat : DataType::kUndefined;
}

DataType Types::type_of_body(Index index, std::size_t output) const {
  const auto found = bodies_.find(index);
  if (found == bodies_.end()) return DataType::kUndefined;
  // The first output of a Loop's body says whether to continue.
  std::size_t place = model_.nodes[index].op_type == "Loop" ? output + 1 : output;
  for (const Value& value : model_.values_of(model_.graphs[found->second])) {
    if (value.role != ValueRole::kOutput || place-- != 0) continue;
    return value.kind == ValueKind::kTensor ? value.type : DataType::kUndefined;
  }
  return DataType::kUndefined;
}

DataType Types::type_of(Index index, std::size_t output) const {
  const Node& node = model_.nodes[index];
  const auto inputs = model_.inputs_of(node);
  const auto input = [&](std::size_t place) {
    return place < inputs.size() ? of(inputs[place]) : DataType::kUndefined;
  };
  const auto first = [&] {
    for (const std::string_view name : inputs) {
      const auto found = types_.find(name);
      if (found != types_.end()) return found->second;
    }
    return DataType::kUndefined;
  };
  if (!node.domain.empty()) return first();
  const std::string_view type = node.op_type;
  if (type == "Constant" || type == "ConstantOfShape") return type_of_constant(node);
  if (std::ranges::find(kTruth, type) != kTruth.end()) return DataType::kBool;
  if (std::ranges::find(kCount, type) != kCount.end()) return DataType::kInt64;
  if (type == "Cast") return named_type(model_, node, "to", DataType::kUndefined);
  if (type == "CastLike" || type == "Where" || type == "DequantizeLinear") return input(1);
  if (type == "OneHot") return input(2);
  if (type == "QuantizeLinear") {
    const DataType named = named_type(model_, node, "output_dtype", input(2));
    if (named != DataType::kUndefined) return named;
    return input(2) == DataType::kUndefined ? DataType::kUint8 : input(2);
  }
  if (type == "DynamicQuantizeLinear") return output == 1 ? DataType::kFloat : DataType::kUint8;
  if (type == "QLinearConv" || type == "QLinearMatMul") return input(7);
  if (type == "ConvInteger" || type == "MatMulInteger") return DataType::kInt32;
  if (type == "TopK" || type == "MaxPool" || type == "Unique") {
    return output == 0 ? input(0) : DataType::kInt64;
  }
  if (type == "Dropout") return output == 0 ? input(0) : DataType::kBool;
  if (type == "LayerNormalization") return output == 0 ? input(0) : DataType::kFloat;
  if (type == "RandomNormal" || type == "RandomUniform") {
    return named_type(model_, node, "dtype", DataType::kFloat);
  }
  if (type == "RandomNormalLike" || type == "RandomUniformLike" || type == "EyeLike" ||
      type == "Bernoulli") {
    return named_type(model_, node, "dtype", input(0));
  }
  if (type == "Multinomial") return named_type(model_, node, "dtype", DataType::kInt32);
  if (type == "If" || type == "Loop" || type == "Scan") return type_of_body(index, output);
  return first();
}

}  // namespace planex::onnx
