#include "tune/joined_output.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "onnx/attributes.h"
#include "onnx/operators.h"

namespace planex::tune {
namespace {

constexpr std::size_t kMaxRank = 16;

const onnx::Value* described(const onnx::Model& model, const onnx::Links& links,
                             std::string_view tensor) {
  const onnx::Link* const link = links.find(tensor);
  if (link == nullptr || link->value == onnx::kNoIndex) return nullptr;
  const onnx::Value& value = model.values[link->value];
  return value.has_shape ? &value : nullptr;
}

bool keeps_axes(std::string_view op_type) {
  return op_type == "Identity" || op_type == "Cast" || op_type == "QuantizeLinear" ||
         op_type == "DequantizeLinear";
}

std::optional<std::int64_t> attribute_of(const onnx::Model& model, const onnx::Node& node,
                                         std::string_view name) {
  const onnx::Attribute* const found = onnx::find_attribute(model, node, name);
  return found == nullptr ? std::nullopt : onnx::int_of(*found);
}

// For a tensor, from the model's description of it or of one with the same rank.
std::optional<std::size_t> rank_of(const onnx::Model& model, const onnx::Links& links,
                                   const onnx::Node& node) {
  for (const auto& names : {model.outputs_of(node), model.inputs_of(node)}) {
    for (const std::string_view name : names) {
      const onnx::Value* const value = described(model, links, name);
      if (value != nullptr) return model.dims_of(*value).size();
    }
  }
  return std::nullopt;
}

std::vector<std::int64_t> sizes_of(const onnx::Model& model, const onnx::Links& links,
                                   const onnx::Node& concat, std::size_t axis) {
  std::vector<std::int64_t> sizes;
  for (const std::string_view input : model.inputs_of(concat)) {
    const onnx::Value* const value = described(model, links, input);
    const auto dims = value == nullptr ? std::span<const onnx::Dim>() : model.dims_of(*value);
    if (axis >= dims.size() || dims[axis].value <= 0) return {};
    sizes.push_back(dims[axis].value);
  }
  return sizes;
}

}  // namespace

arrays::Split joined_split(const onnx::Model& model, const onnx::Links& links,
                           std::string_view tensor) {
  // Transpose steps on the way, the last first.
  std::vector<std::vector<std::int64_t>> orders;
  constexpr int kMaxSteps = 16;
  for (int step = 0; step < kMaxSteps; ++step) {
    const onnx::Link* const link = links.find(tensor);
    if (link == nullptr || link->node == onnx::kNoIndex) return {};
    const onnx::Node& node = model.nodes[link->node];
    if (!onnx::is_default_domain(node.domain) || node.inputs.count == 0) return {};
    if (node.op_type == "Concat") {
      auto axis = attribute_of(model, node, "axis").value_or(1);
      if (axis < 0) {
        const auto rank = rank_of(model, links, node);
        if (!rank) return {};
        axis += static_cast<std::int64_t>(*rank);
      }
      if (axis < 0 || axis >= static_cast<std::int64_t>(kMaxRank)) return {};
      arrays::Split split{.axis = static_cast<std::size_t>(axis),
                          .sizes = sizes_of(model, links, node, static_cast<std::size_t>(axis)),
                          .names = {}};
      for (const std::string_view input : model.inputs_of(node)) split.names.emplace_back(input);
      for (auto order = orders.rbegin(); order != orders.rend(); ++order) {
        const auto moved = std::ranges::find(*order, static_cast<std::int64_t>(split.axis));
        if (moved == order->end()) return {};
        split.axis = static_cast<std::size_t>(moved - order->begin());
      }
      return split;
    }
    if (node.op_type == "Transpose") {
      const onnx::Attribute* const order = onnx::find_attribute(model, node, "perm");
      // Without perm the axes are reversed, and the rank is unknown here.
      if (order == nullptr) return {};
      orders.push_back(onnx::ints_of(*order, kMaxRank));
    } else if (!keeps_axes(node.op_type)) {
      return {};
    }
    tensor = model.inputs_of(node).front();
  }
  return {};
}

}  // namespace planex::tune
