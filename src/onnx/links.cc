#include "onnx/links.h"

#include "onnx/attributes.h"

namespace planex::onnx {

Links::Links(const Model& model) : model_(model) {
  const Graph& main = model.graphs.front();
  for (Index value = main.values.first; value < main.values.first + main.values.count; ++value) {
    Link& link = at(model.values[value].name);
    const ValueRole role = model.values[value].role;
    link.value = value;
    link.is_input |= role == ValueRole::kInput;
    link.is_output |= role == ValueRole::kOutput;
  }
  const Range constants = main.initializers;
  for (Index tensor = constants.first; tensor < constants.first + constants.count; ++tensor) {
    at(model.tensors[tensor].name).initializer = tensor;
  }
  for (Index index = main.nodes.first; index < main.nodes.first + main.nodes.count; ++index) {
    const Node& node = model.nodes[index];
    const auto inputs = model.inputs_of(node);
    for (std::uint32_t place = 0; place < inputs.size(); ++place) {
      if (!inputs[place].empty()) at(inputs[place]).readers.push_back({index, place});
    }
    for (const std::string_view output : model.outputs_of(node)) {
      if (!output.empty()) at(output).node = index;
    }
  }
  // A body can have its own tensor of the same name; treating it as a capture only leaves one more
  // tensor unchanged.
  for (const Graph& graph : model.graphs) {
    if (graph.kind != GraphKind::kSubgraph) continue;
    for (const Node& node : model.nodes_of(graph)) {
      for (const std::string_view input : model.inputs_of(node)) {
        const auto found = places_.find(input);
        if (found != places_.end()) links_[found->second].is_captured = true;
      }
    }
    for (const Value& value : model.values_of(graph)) {
      if (value.role != ValueRole::kOutput) continue;
      const auto found = places_.find(value.name);
      if (found != places_.end()) links_[found->second].is_captured = true;
    }
  }
}

const Link* Links::find(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &links_[found->second];
}

Index Links::constant(std::string_view name) const {
  // Models have a few in a row; a damaged one can contain a ring, or as many as it has nodes.
  constexpr int kMaxSteps = 64;
  for (int step = 0; step < kMaxSteps; ++step) {
    const Link* link = find(name);
    if (link == nullptr) return kNoIndex;
    if (link->initializer != kNoIndex) return link->is_input ? kNoIndex : link->initializer;
    if (link->node == kNoIndex) return kNoIndex;
    const Node& node = model_.nodes[link->node];
    if (!is_default_domain(node.domain)) return kNoIndex;
    if (node.op_type == "Constant") {
      const Attribute* value = find_attribute(model_, node, "value");
      return value == nullptr ? kNoIndex : value->tensor;
    }
    if (node.op_type != "Identity" || node.inputs.count != 1) return kNoIndex;
    name = model_.inputs_of(node).front();
  }
  return kNoIndex;
}

Link& Links::at(std::string_view name) {
  const auto [place, is_new] = places_.try_emplace(name, static_cast<std::uint32_t>(links_.size()));
  if (is_new) links_.emplace_back().name = name;
  return links_[place->second];
}

}  // namespace planex::onnx
