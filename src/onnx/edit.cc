#include "onnx/edit.h"

#include <algorithm>
#include <array>
#include <protozero/pbf_writer.hpp>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "onnx/edit_messages.h"
#include "onnx/fields.h"
#include "onnx/rewrite_bytes.h"

namespace planex::onnx {
namespace {

using protozero::pbf_writer;

// The version of the file format that an opset came with; files have at least this version.
struct IrVersion {
  std::int64_t opset = 0;
  std::int64_t ir = 0;
};
constexpr std::array<IrVersion, 11> kIrVersions = {{{9, 4},
                                                    {10, 5},
                                                    {11, 6},
                                                    {12, 7},
                                                    {15, 8},
                                                    {19, 9},
                                                    {21, 10},
                                                    {23, 11},
                                                    {24, 12},
                                                    {25, 13},
                                                    {28, 14}}};
// Before this version, every initializer also had to be an input of the graph.
constexpr std::int64_t kIrOfPlainInitializers = 4;

std::int64_t ir_version_of(std::int64_t opset) {
  std::int64_t version = 3;
  for (const IrVersion& row : kIrVersions) {
    if (opset >= row.opset) version = row.ir;
  }
  return version;
}

}  // namespace

void Edit::insert_node(Index before, NewNode node) { inserted_[before].push_back(std::move(node)); }
void Edit::remove_node(Index node) { nodes_[node].is_removed = true; }
void Edit::set_input(Index node, std::uint32_t position, std::string name) {
  nodes_[node].inputs[position] = std::move(name);
}
void Edit::set_output(Index node, std::uint32_t position, std::string name) {
  nodes_[node].outputs[position] = std::move(name);
}
void Edit::set_attribute(Index node, NewAttribute attribute) {
  std::string name = attribute.name;
  nodes_[node].attributes[std::move(name)] = std::move(attribute);
}
void Edit::remove_attribute(Index node, std::string name) {
  nodes_[node].attributes[std::move(name)] = std::nullopt;
}
void Edit::add_initializer(NewTensor tensor) { initializers_.push_back(std::move(tensor)); }
void Edit::remove_initializer(Index tensor) { removed_initializers_.push_back(tensor); }
void Edit::set_value_type(Index value, DataType type) { values_[value].type = type; }
void Edit::set_value_name(Index value, std::string name) { values_[value].name = std::move(name); }
void Edit::add_input(NewValue value) { inputs_.push_back(std::move(value)); }
void Edit::add_output(NewValue value) { outputs_.push_back(std::move(value)); }
void Edit::remove_value(Index value) { removed_values_.push_back(value); }
void Edit::remove_value_info(std::string_view name) { removed_value_infos_.emplace_back(name); }
void Edit::set_opset(std::int64_t version) { opset_ = version; }
void Edit::set_property(std::string key, std::string value) {
  properties_[std::move(key)] = std::move(value);
}

bool Edit::is_empty() const {
  return inserted_.empty() && nodes_.empty() && initializers_.empty() &&
         removed_initializers_.empty() && values_.empty() && inputs_.empty() && outputs_.empty() &&
         removed_values_.empty() && removed_value_infos_.empty() && !opset_ && properties_.empty();
}

// Finds the fields that an edit affects by where their messages are.
class EditWriter final : public ByteChanges {
 public:
  EditWriter(const Model& model, const Edit& edit) : model_(model), edit_(edit) {}

  Result<void> prepare() {
    PLANEX_TRY(check());
    for (const auto& [node, change] : edit_.nodes_) {
      nodes_[model_.nodes[node].byte_offset].change = &change;
    }
    for (const auto& [before, inserted] : edit_.inserted_) {
      if (before != kNoIndex) nodes_[model_.nodes[before].byte_offset].inserted = &inserted;
    }
    for (const Index tensor : edit_.removed_initializers_) {
      left_out_.insert(model_.tensors[tensor].byte_offset);
    }
    for (const Index value : edit_.removed_values_) {
      left_out_.insert(model_.values[value].byte_offset);
    }
    for (const auto& [value, change] : edit_.values_) {
      values_[model_.values[value].byte_offset] = &change;
    }
    const std::unordered_set<std::string_view> dropped(edit_.removed_value_infos_.begin(),
                                                       edit_.removed_value_infos_.end());
    for (const Value& value : model_.values_of(model_.graphs.front())) {
      if (value.role == ValueRole::kInfo && dropped.contains(value.name)) {
        left_out_.insert(value.byte_offset);
      }
    }
    if (edit_.opset_) ir_version_ = ir_version_of(*edit_.opset_);
    if (!edit_.initializers_.empty() || !edit_.removed_values_.empty())
      ir_version_ = std::max(ir_version_, kIrOfPlainInitializers);
    return {};
  }

  Result<Fate> at_field(const FieldPlace& place, std::string& text) override {
    switch (place.around) {
      case MessageKind::kModel:
        return at_model_field(place.field, text);
      case MessageKind::kGraph:
      case MessageKind::kFunction:
        return at_graph_field(place, text);
      case MessageKind::kNode:
        return at_node_field(place, text);
      case MessageKind::kAttribute:
      case MessageKind::kOther:
        break;
    }
    return Fate::kKept;
  }

  Result<void> at_end(MessageKind kind, std::uint64_t message, std::string& text) override {
    if (kind == MessageKind::kModel) end_model(text);
    if (kind == MessageKind::kGraph && message == model_.graphs.front().byte_offset) {
      end_main_graph(text);
    }
    if (kind == MessageKind::kNode) end_node(message, text);
    return {};
  }

 private:
  struct ChangedNode {
    const Edit::NodeChange* change = nullptr;
    const std::vector<NewNode>* inserted = nullptr;
    std::uint32_t inputs = 0, outputs = 0;  // seen
    std::unordered_set<std::string_view> attributes;
  };

  Result<void> check() const {
    const auto is_in = [](Index index, const auto& table) { return index < table.size(); };
    bool is_well = true;
    for (const auto& [node, change] : edit_.nodes_) is_well &= is_in(node, model_.nodes);
    for (const auto& [node, inserted] : edit_.inserted_) {
      is_well &= node == kNoIndex || is_in(node, model_.nodes);
    }
    for (const Index tensor : edit_.removed_initializers_) is_well &= is_in(tensor, model_.tensors);
    for (const Index value : edit_.removed_values_) is_well &= is_in(value, model_.values);
    for (const auto& [value, change] : edit_.values_) is_well &= is_in(value, model_.values);
    if (is_well) return {};
    return fail(ErrorCode::kInternal, "an edit refers to a part that the model does not have");
  }

  Result<Fate> at_model_field(const Field& next, std::string& text) {
    namespace f = field::model;
    if (next.is_varint(f::kIrVersion)) {
      has_ir_version_ = true;
      if (static_cast<std::int64_t>(next.value) >= ir_version_) return Fate::kKept;
      pbf_writer(text).add_int64(f::kIrVersion, ir_version_);
      return Fate::kLeftOut;
    }
    if (next.is_bytes(f::kOpsetImport) && edit_.opset_) {
      PLANEX_ASSIGN(const std::string_view domain,
                    bytes_of(next.span.bytes, field::opset::kDomain));
      if (!is_default_domain(domain)) return Fate::kKept;
      has_opset_ = true;
      PLANEX_ASSIGN(const std::string changed, changed_opset(next.span.bytes, *edit_.opset_));
      pbf_writer(text).add_message(f::kOpsetImport, changed);
      return Fate::kLeftOut;
    }
    if (next.is_bytes(f::kMetadata) && !edit_.properties_.empty()) {
      PLANEX_ASSIGN(const std::string_view key, bytes_of(next.span.bytes, field::entry::kKey));
      const auto found = edit_.properties_.find(key);
      if (found == edit_.properties_.end()) return Fate::kKept;
      if (properties_.insert(found->first).second) {
        write_property(f::kMetadata, key, found->second, text);
      }
      return Fate::kLeftOut;
    }
    return Fate::kKept;
  }

  Result<Fate> at_graph_field(const FieldPlace& place, std::string& text) {
    const Field& next = place.field;
    if (next.wire != Wire::kBytes) return Fate::kKept;
    const bool is_function = place.around == MessageKind::kFunction;
    if (next.number == (is_function ? field::function::kNode : field::graph::kNode)) {
      const auto found = nodes_.find(next.span.offset);
      if (found == nodes_.end()) return Fate::kKept;
      if (found->second.inserted != nullptr) {
        for (const NewNode& node : *found->second.inserted) write_node(next.number, node, text);
      }
      const bool is_removed = found->second.change != nullptr && found->second.change->is_removed;
      return is_removed ? Fate::kLeftOut : Fate::kKept;
    }
    if (left_out_.contains(next.span.offset)) return Fate::kLeftOut;
    const auto value = values_.find(next.span.offset);
    if (value == values_.end()) return Fate::kKept;
    PLANEX_ASSIGN(const std::string changed, changed_value(next.span.bytes, *value->second));
    pbf_writer(text).add_message(next.number, changed);
    return Fate::kLeftOut;
  }

  Result<Fate> at_node_field(const FieldPlace& place, std::string& text) {
    const Field& next = place.field;
    const auto found = nodes_.find(place.message);
    if (found == nodes_.end() || found->second.change == nullptr) return Fate::kKept;
    ChangedNode& node = found->second;
    namespace f = field::node;
    const auto renamed = [&](const std::map<std::uint32_t, std::string>& names,
                             std::uint32_t& seen) {
      const auto name = names.find(seen++);
      if (name == names.end()) return Fate::kKept;
      pbf_writer(text).add_string(next.number, name->second);
      return Fate::kLeftOut;
    };
    if (next.is_bytes(f::kInput)) return renamed(node.change->inputs, node.inputs);
    if (next.is_bytes(f::kOutput)) return renamed(node.change->outputs, node.outputs);
    if (!next.is_bytes(f::kAttribute)) return Fate::kKept;
    PLANEX_ASSIGN(const std::string_view name, bytes_of(next.span.bytes, field::attribute::kName));
    const auto attribute = node.change->attributes.find(std::string(name));
    if (attribute == node.change->attributes.end()) return Fate::kKept;
    if (node.attributes.insert(name).second && attribute->second) {
      write_attribute(f::kAttribute, *attribute->second, text);
    }
    return Fate::kLeftOut;
  }

  void end_node(std::uint64_t message, std::string& text) {
    const auto found = nodes_.find(message);
    if (found == nodes_.end() || found->second.change == nullptr) return;
    const ChangedNode& node = found->second;
    // Inputs in between are left out, which an empty name expresses.
    const auto complete = [&](std::uint32_t number, std::uint32_t seen,
                              const std::map<std::uint32_t, std::string>& names) {
      for (auto name = names.lower_bound(seen); name != names.end(); ++name) {
        for (; seen < name->first; ++seen) pbf_writer(text).add_string(number, "");
        pbf_writer(text).add_string(number, name->second);
        ++seen;
      }
    };
    complete(field::node::kInput, node.inputs, node.change->inputs);
    complete(field::node::kOutput, node.outputs, node.change->outputs);
    for (const auto& [name, attribute] : node.change->attributes) {
      if (attribute && !node.attributes.contains(name)) {
        write_attribute(field::node::kAttribute, *attribute, text);
      }
    }
  }

  void end_main_graph(std::string& text) const {
    const auto last = edit_.inserted_.find(kNoIndex);
    if (last != edit_.inserted_.end()) {
      for (const NewNode& node : last->second) write_node(field::graph::kNode, node, text);
    }
    for (const NewTensor& tensor : edit_.initializers_) {
      write_tensor(field::graph::kInitializer, tensor, text);
    }
    for (const NewValue& value : edit_.inputs_) write_value(field::graph::kInput, value, text);
    for (const NewValue& value : edit_.outputs_) write_value(field::graph::kOutput, value, text);
  }

  void end_model(std::string& text) const {
    if (!has_ir_version_ && ir_version_ > 0) {
      pbf_writer(text).add_int64(field::model::kIrVersion, ir_version_);
    }
    if (edit_.opset_ && !has_opset_) {
      std::string opset;
      pbf_writer(opset).add_int64(field::opset::kVersion, *edit_.opset_);
      pbf_writer(text).add_message(field::model::kOpsetImport, opset);
    }
    for (const auto& [key, value] : edit_.properties_) {
      if (!properties_.contains(key)) write_property(field::model::kMetadata, key, value, text);
    }
  }

  const Model& model_;
  const Edit& edit_;
  // Keyed by the offset at which the content of the message starts.
  std::unordered_map<std::uint64_t, ChangedNode> nodes_;
  std::unordered_map<std::uint64_t, const Edit::ValueChange*> values_;
  std::unordered_set<std::uint64_t> left_out_;
  std::int64_t ir_version_ = 0;  // at least this version; 0: unchanged
  // What the file has contained so far.
  bool has_ir_version_ = false, has_opset_ = false;
  std::unordered_set<std::string_view> properties_;
};

Result<void> write_edited(std::string_view file, const Model& model, const Edit& edit,
                          const std::function<Result<void>(std::string_view piece)>& sink) {
  EditWriter writer(model, edit);
  PLANEX_TRY(writer.prepare());
  return rewrite_bytes(file, writer, sink);
}

Result<std::string> edited(std::string_view file, const Model& model, const Edit& edit) {
  std::string text;
  PLANEX_TRY(write_edited(file, model, edit, [&](std::string_view piece) -> Result<void> {
    text += piece;
    return {};
  }));
  return text;
}

FreshNames::FreshNames(const Model& model, const Edit& edit) {
  const auto use = [&](std::string_view name) { used_.emplace(name, 2); };
  for (const std::string_view name : model.names) use(name);
  for (const Node& node : model.nodes) use(node.name);
  for (const Tensor& tensor : model.tensors) use(tensor.name);
  for (const Value& value : model.values) use(value.name);
  for (const auto& [before, nodes] : edit.inserted_) {
    for (const NewNode& node : nodes) {
      use(node.name);
      for (const std::string& output : node.outputs) use(output);
    }
  }
  for (const auto& [node, change] : edit.nodes_) {
    for (const auto& [position, name] : change.outputs) use(name);
  }
  for (const NewTensor& tensor : edit.initializers_) use(tensor.name);
  for (const NewValue& value : edit.inputs_) use(value.name);
  for (const auto& [value, change] : edit.values_) use(change.name.value_or(""));
}

std::string FreshNames::take(std::string_view wanted) {
  const auto [found, is_new] = used_.emplace(wanted, 2);
  if (is_new) return found->first;
  for (int& number = found->second;; ++number) {
    std::string name = base::format("{}_{}", wanted, number);
    if (used_.emplace(name, 2).second) return name;
  }
}

}  // namespace planex::onnx
