#include "onnx/ranks.h"

#include <algorithm>
#include <array>
#include <vector>

#include "onnx/attributes.h"

namespace planex::onnx {
namespace {

constexpr std::int64_t kUnknown = -1;

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& sorted, std::string_view op_type) {
  return std::ranges::binary_search(sorted, op_type);
}

// Their output has as many dimensions as their first input.
constexpr std::array<std::string_view, 52> kSame = {"Abs",
                                                    "AveragePool",
                                                    "BatchNormalization",
                                                    "Cast",
                                                    "Ceil",
                                                    "Celu",
                                                    "Clip",
                                                    "Concat",
                                                    "Conv",
                                                    "ConvTranspose",
                                                    "Cos",
                                                    "CumSum",
                                                    "DequantizeLinear",
                                                    "Dropout",
                                                    "Elu",
                                                    "Erf",
                                                    "Exp",
                                                    "Floor",
                                                    "Gelu",
                                                    "GlobalAveragePool",
                                                    "GlobalMaxPool",
                                                    "GroupNormalization",
                                                    "HardSigmoid",
                                                    "HardSwish",
                                                    "Hardmax",
                                                    "Identity",
                                                    "InstanceNormalization",
                                                    "LRN",
                                                    "LayerNormalization",
                                                    "LeakyRelu",
                                                    "Log",
                                                    "LogSoftmax",
                                                    "LpNormalization",
                                                    "MaxPool",
                                                    "Mish",
                                                    "Neg",
                                                    "Not",
                                                    "Pad",
                                                    "QuantizeLinear",
                                                    "Reciprocal",
                                                    "Relu",
                                                    "Resize",
                                                    "Round",
                                                    "Selu",
                                                    "Sigmoid",
                                                    "Sign",
                                                    "Sin",
                                                    "Slice",
                                                    "Softmax",
                                                    "Split",
                                                    "Sqrt",
                                                    "Tanh"};
// Their output has as many as the input with the most.
constexpr std::array<std::string_view, 17> kBroadcast = {
    "Add", "And", "Div", "Equal", "Greater", "Less", "Max", "Mean", "Min",
    "Mod", "Mul", "Or",  "PRelu", "Pow",     "Sub",  "Sum", "Where"};

}  // namespace

Ranks::Ranks(const Model& model, const Links& links, Values& values)
    : model_(model), links_(links), values_(values) {
  for (const Value& value : model.values) {
    if (value.has_shape && value.kind == ValueKind::kTensor)
      learn(ranks_, value.name, value.dims.count);
  }
  for (const Graph& graph : model.graphs) {
    for (const Tensor& tensor : model.initializers_of(graph)) {
      const auto dims = model.dims_of(tensor);
      learn(ranks_, tensor.name, tensor.dims.count);
      if (dims.size() == 1) learn(lengths_, tensor.name, dims.front());
    }
  }
  for (const Node& node : model.nodes) {
    if (node.domain.empty()) look_at(node);
  }
}

std::optional<std::int64_t> Ranks::of(std::string_view tensor) const {
  const auto found = ranks_.find(tensor);
  if (found == ranks_.end() || found->second == kUnknown) return std::nullopt;
  return found->second;
}

std::optional<std::int64_t> Ranks::length(std::string_view tensor) const {
  const auto found = lengths_.find(tensor);
  if (found == lengths_.end() || found->second == kUnknown) return std::nullopt;
  return found->second;
}

void Ranks::learn(Facts& facts, std::string_view tensor, std::int64_t value) {
  if (tensor.empty()) return;
  const auto [found, is_new] = facts.try_emplace(tensor, value);
  if (!is_new && found->second != value) found->second = kUnknown;
}

void Ranks::look_at(const Node& node) {
  if (node.op_type == "Constant") {
    const Attribute* value = find_attribute(model_, node, "value");
    const auto outputs = model_.outputs_of(node);
    if (value == nullptr || value->tensor == kNoIndex || outputs.empty()) return;
    const auto dims = model_.dims_of(model_.tensors[value->tensor]);
    learn(ranks_, outputs.front(), static_cast<std::int64_t>(dims.size()));
    if (dims.size() == 1) learn(lengths_, outputs.front(), dims.front());
    return;
  }
  const auto outputs = model_.outputs_of(node);
  if (const auto rank = rank_of(node)) {
    for (const std::string_view output : outputs) learn(ranks_, output, *rank);
  }
  if (const auto length = length_of(node)) learn(lengths_, outputs.front(), *length);
}

std::optional<std::int64_t> Ranks::axes_of(const Node& node) const {
  if (const Attribute* axes = find_attribute(model_, node, "axes")) {
    return static_cast<std::int64_t>(count_of(*axes));
  }
  const auto inputs = model_.inputs_of(node);
  return inputs.size() > 1 ? length(inputs[1]) : std::nullopt;
}

std::optional<std::int64_t> Ranks::rank_of(const Node& node) {
  const auto inputs = model_.inputs_of(node);
  if (node.op_type == "Shape") return 1;
  if (node.op_type == "Gemm" || node.op_type == "Flatten") return 2;
  if (inputs.empty()) return std::nullopt;
  const auto first = of(inputs.front());
  if (is_one_of(kSame, node.op_type)) return first;
  if (is_one_of(kBroadcast, node.op_type) || node.op_type == "MatMul") {
    std::int64_t most = node.op_type == "MatMul" ? 2 : 0;
    for (const std::string_view input : inputs) {
      const auto rank = of(input);
      // A vector removes a dimension.
      if (!rank || (node.op_type == "MatMul" && *rank < 2)) return std::nullopt;
      most = std::max(most, *rank);
    }
    return most;
  }
  if (node.op_type == "Transpose") {
    const Attribute* order = find_attribute(model_, node, "perm");
    return order == nullptr ? first : static_cast<std::int64_t>(count_of(*order));
  }
  if (node.op_type == "Reshape" || node.op_type == "Expand") {
    if (inputs.size() < 2) return std::nullopt;
    const auto sizes = length(inputs[1]);
    if (node.op_type == "Reshape" || !sizes) return sizes;
    return first ? std::optional(std::max(*first, *sizes)) : std::nullopt;
  }
  if (node.op_type == "Gather" && inputs.size() > 1) {
    const auto indices = of(inputs[1]);
    return first && indices ? std::optional(*first - 1 + *indices) : std::nullopt;
  }
  if (node.op_type == "Squeeze" || node.op_type == "Unsqueeze") {
    const auto axes = axes_of(node);
    if (!first || !axes || *axes > *first + 64) return std::nullopt;
    const std::int64_t rank = node.op_type == "Squeeze" ? *first - *axes : *first + *axes;
    return rank < 0 ? std::nullopt : std::optional(rank);
  }
  if (node.op_type.starts_with("Reduce")) {
    const Attribute* kept = find_attribute(model_, node, "keepdims");
    if (kept == nullptr || int_of(*kept) != 0) return first;
  }
  return std::nullopt;
}

std::optional<std::int64_t> Ranks::length_of(const Node& node) const {
  const auto inputs = model_.inputs_of(node), outputs = model_.outputs_of(node);
  if (outputs.empty() || of(outputs.front()) != 1) return std::nullopt;
  if (node.op_type == "Shape") return inputs.empty() ? std::nullopt : of(inputs.front());
  if (inputs.empty()) return std::nullopt;
  if (node.op_type == "Cast" || node.op_type == "Identity") return length(inputs.front());
  if (node.op_type == "Unsqueeze" && of(inputs.front()) == 0) return 1;
  if (node.op_type == "Gather" && inputs.size() > 1) return length(inputs[1]);
  if (node.op_type == "Concat") {
    std::int64_t sum = 0;
    for (const std::string_view input : inputs) {
      const auto part = length(input);
      if (!part || __builtin_add_overflow(sum, *part, &sum)) return std::nullopt;
    }
    return sum;
  }
  if (node.op_type == "Slice" && inputs.size() > 2) {
    const auto all = length(inputs.front());
    const auto number = [&](std::size_t at, std::int64_t fallback) -> std::optional<std::int64_t> {
      if (at >= inputs.size() || inputs[at].empty()) return fallback;
      const Index tensor = links_.constant(inputs[at]);
      // One number; anything larger is not read, as there may be many such nodes.
      if (tensor == kNoIndex || bytes_of(model_, model_.tensors[tensor]).value_or(0) > 8) {
        return std::nullopt;
      }
      const auto values = values_.ints(model_.tensors[tensor]);
      if (!values || values->size() != 1) return std::nullopt;
      return values->front();
    };
    const auto begin = number(1, 0), end = number(2, 0);
    if (!all || *all < 0 || !begin || !end || number(4, 1) != 1) return std::nullopt;
    const auto place = [&](std::int64_t at) {
      return std::clamp<std::int64_t>(at < 0 ? at + *all : at, 0, *all);
    };
    return std::max<std::int64_t>(0, place(*end) - place(*begin));
  }
  return std::nullopt;
}

}  // namespace planex::onnx
