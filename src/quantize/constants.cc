#include "quantize/constants.h"

#include "onnx/attributes.h"

namespace planex::quantize {

std::int64_t int_attribute(const onnx::Model& model, const onnx::Node& node, std::string_view name,
                           std::int64_t fallback) {
  const onnx::Attribute* found = onnx::find_attribute(model, node, name);
  return found == nullptr ? fallback : onnx::int_of(*found).value_or(fallback);
}

float float_attribute(const onnx::Model& model, const onnx::Node& node, std::string_view name,
                      float fallback) {
  const onnx::Attribute* found = onnx::find_attribute(model, node, name);
  return found == nullptr ? fallback : onnx::float_of(*found).value_or(fallback);
}

void Uses::drop(std::string_view tensor, std::size_t count) {
  // Through Identity nodes, each of which has one input.
  for (;;) {
    const onnx::Link* link = links_.find(tensor);
    if (link == nullptr) return;
    std::size_t& dropped = dropped_[link->name];
    if (dropped >= link->readers.size())
      return;  // already removed: a damaged model can contain
               // rings
    dropped += count;
    if (dropped < link->readers.size() || link->is_output || link->is_captured) return;
    if (link->initializer != onnx::kNoIndex) {
      if (link->is_input) return;
      edit_.remove_initializer(link->initializer);
      edit_.remove_value_info(tensor);
      return;
    }
    if (link->node == onnx::kNoIndex) return;
    const onnx::Node& node = model_.nodes[link->node];
    if (!node.domain.empty() || node.outputs.count != 1) return;
    const bool is_identity = node.op_type == "Identity" && node.inputs.count == 1 &&
                             links_.constant(tensor) != onnx::kNoIndex;
    if (node.op_type != "Constant" && !is_identity) return;
    edit_.remove_node(link->node);
    edit_.remove_value_info(tensor);
    if (!is_identity) return;
    tensor = model_.inputs_of(node).front();
    count = 1;
  }
}

}  // namespace planex::quantize
