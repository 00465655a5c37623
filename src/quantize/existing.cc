#include "quantize/existing.h"

#include <bit>

#include "base/try.h"
#include "onnx/attributes.h"

namespace planex::quantize {
namespace {

using onnx::Index;
using onnx::kNoIndex;

bool is_node(const onnx::Model& model, Index node, std::string_view op) {
  return node != kNoIndex && onnx::is_default_domain(model.nodes[node].domain) &&
         model.nodes[node].op_type == op;
}

std::string_view input_of(const onnx::Model& model, Index node, std::size_t place) {
  const auto all = model.inputs_of(model.nodes[node]);
  return place < all.size() ? all[place] : std::string_view();
}

Result<ExistingScale> scale_of(const onnx::Model& model, const onnx::Links& links,
                               onnx::Values& values, Index node) {
  ExistingScale found;
  const onnx::Attribute* axis = onnx::find_attribute(model, model.nodes[node], "axis");
  if (axis != nullptr) found.axis = onnx::int_of(*axis).value_or(1);
  found.scale = links.constant(input_of(model, node, 1));
  if (const std::string_view zero = input_of(model, node, 2); !zero.empty()) {
    found.zero_point = links.constant(zero);
  }
  if (found.scale != kNoIndex && model.tensors[found.scale].type == onnx::DataType::kFloat) {
    PLANEX_ASSIGN(const std::vector<float> scales, values.floats(model.tensors[found.scale]));
    for (const float scale : scales) found.bits.push_back(std::bit_cast<std::uint32_t>(scale));
  }
  if (found.zero_point != kNoIndex) {
    const onnx::DataType type = model.tensors[found.zero_point].type;
    found.is_unsigned = type == onnx::DataType::kUint8;
    found.is_float8 = type == onnx::DataType::kFloat8E4M3FN;
    if (type == onnx::DataType::kInt8 || type == onnx::DataType::kUint8) {
      PLANEX_ASSIGN(found.zero_points, values.ints(model.tensors[found.zero_point]));
    }
  }
  return found;
}

}  // namespace

Result<Existing> read_existing(const onnx::Model& model, const onnx::Links& links,
                               onnx::Values& values) {
  Existing found;
  const Index count = model.graphs.front().nodes.count;
  std::vector<bool> is_paired(count);
  for (Index node = 0; node < count; ++node) {
    if (!is_node(model, node, "DequantizeLinear")) continue;
    const onnx::Link* integers = links.find(input_of(model, node, 0));
    const auto outputs = model.outputs_of(model.nodes[node]);
    const onnx::Link* made = outputs.empty() ? nullptr : links.find(outputs.front());
    if (integers == nullptr || made == nullptr) continue;
    if (const Index tensor = links.constant(integers->name); tensor != kNoIndex) {
      PLANEX_ASSIGN(ExistingScale scale, scale_of(model, links, values, node));
      found.weights.push_back({.name = integers->name,
                               .tensor = tensor,
                               .dequantizer = node,
                               .readers = made->readers,
                               .scale = std::move(scale)});
      is_paired[node] = true;
      continue;
    }
    const Index quantizer = integers->node;
    if (!is_node(model, quantizer, "QuantizeLinear")) continue;
    const onnx::Link* source = links.find(input_of(model, quantizer, 0));
    if (source == nullptr) continue;
    PLANEX_ASSIGN(ExistingScale scale, scale_of(model, links, values, node));
    found.pairs.push_back({.tensor = source->name,
                           .output = made->name,
                           .quantizer = quantizer,
                           .dequantizer = node,
                           .maker = source->node,
                           .readers = made->readers,
                           .scale = std::move(scale)});
    is_paired[node] = is_paired[quantizer] = true;
  }
  for (Index node = 0; node < count; ++node) {
    if (is_paired[node]) continue;
    if (is_node(model, node, "QuantizeLinear") || is_node(model, node, "DequantizeLinear")) {
      found.others.push_back(node);
    }
  }
  return found;
}

}  // namespace planex::quantize
