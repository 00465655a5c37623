// How a draft is written as changes of the file.
#include <algorithm>

#include "clean/draft.h"

namespace planex::clean {

using onnx::kNoIndex;

void Draft::write_node(NodeId id, onnx::Edit& edit) const {
  const NodeState& state = nodes_[id];
  if (state.is_removed) {
    edit.remove_node(state.origin);
    return;
  }
  const onnx::Node& node = model_.nodes[state.origin];
  const auto inputs = model_.inputs_of(node), outputs = model_.outputs_of(node);
  for (std::uint32_t place = 0; place < state.inputs.size(); ++place) {
    const std::string name = name_in_file(state.inputs[place].tensor);
    if (place < inputs.size() ? inputs[place] != name : !name.empty()) {
      edit.set_input(state.origin, place, name);
    }
  }
  for (std::uint32_t place = 0; place < state.outputs.size(); ++place) {
    const std::string name = name_in_file(state.outputs[place]);
    if (outputs[place] != name) edit.set_output(state.origin, place, name);
  }
  for (const auto& [name, change] : state.attributes) {
    if (change) {
      edit.set_attribute(state.origin, *change);
    } else {
      edit.remove_attribute(state.origin, name);
    }
  }
}

void Draft::write_constants(onnx::Edit& edit) const {
  for (const DraftTensor& tensor : tensors_) {
    const bool is_read = !tensor.readers.empty() || tensor.is_pinned();
    const bool stays = is_read || tensor.is_overridable;
    if (tensor.value && is_read) {
      edit.add_initializer(
          {tensor.name, tensor.value->type, tensor.value->dims, tensor.value->raw});
    } else if (tensor.is_initializer && !stays) {
      edit.remove_initializer(tensor.origin);
    }
    // Older files list initializers as inputs, too; in the version that the edit raises them to,
    // callers could replace those.
    if (tensor.is_initializer && tensor.is_input && !tensor.is_overridable) {
      edit.remove_value(tensor.declared);
    }
    const bool is_made = tensor.maker != kNone || tensor.is_input ||
                         (tensor.is_initializer && stays) || (tensor.value && is_read);
    if (!is_made && tensor.declared != kNoIndex) edit.remove_value_info(tensor.name);
  }
}

void Draft::write(onnx::Edit& edit) const {
  std::vector<NodeId> waiting;
  const auto flush = [&](onnx::Index before) {
    for (const NodeId id : waiting) {
      const NodeState& state = nodes_[id];
      onnx::NewNode node{.op_type = std::string(state.op), .name = state.name};
      for (const Slot& slot : state.inputs) node.inputs.push_back(name_in_file(slot.tensor));
      for (const TensorId output : state.outputs) node.outputs.push_back(name_in_file(output));
      for (const auto& [name, attribute] : state.attributes) {
        if (attribute) node.attributes.push_back(*attribute);
      }
      edit.insert_node(before, std::move(node));
    }
    waiting.clear();
  };
  for (NodeId id = first_; id != kNone; id = nodes_[id].after) {
    if (nodes_[id].origin == kNoIndex) {
      if (!nodes_[id].is_removed) waiting.push_back(id);
      continue;
    }
    flush(nodes_[id].origin);
    write_node(id, edit);
  }
  flush(kNoIndex);
  write_constants(edit);
}

}  // namespace planex::clean
