#include "onnx/cut.h"

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <utility>

#include "base/try.h"

namespace planex::onnx {
namespace {

using Names = std::unordered_set<std::string_view>;

bool holds_graphs(const Model& model, const Node& node) {
  return std::ranges::any_of(model.attributes_of(node), [](const Attribute& attribute) {
    return attribute.type == AttributeType::kGraph || attribute.type == AttributeType::kGraphs;
  });
}

bool is_quantizer(const Node& node) {
  return node.op_type == "QuantizeLinear" || node.op_type == "DequantizeLinear";
}

class Cutter {
 public:
  Cutter(const Model& model, const Links& links) : model_(model), links_(links) {
    // Nodes come after what they read, so that one pass tells what is constant.
    const Range nodes = model.graphs.front().nodes;
    is_constant_.resize(model.nodes.size());
    is_in_.resize(model.nodes.size());
    for (Index node = nodes.first; node < nodes.first + nodes.count; ++node) {
      is_constant_[node] =
          !holds_graphs(model, model.nodes[node]) &&
          std::ranges::all_of(model.inputs_of(model.nodes[node]),
                              [&](std::string_view name) { return is_constant(name); });
    }
  }

  // Null where no node makes it, or the node that does can't be cut out.
  Index maker(std::string_view name) const {
    const Link* link = links_.find(name);
    if (link == nullptr || link->node == kNoIndex) return kNoIndex;
    return holds_graphs(model_, model_.nodes[link->node]) ? kNoIndex : link->node;
  }

  // Together with what belongs to it. Returns the nodes that were not yet included.
  std::vector<Index> add(Index first) {
    std::vector<Index> added;
    std::vector<Index> open = {first};
    while (!open.empty()) {
      const Index node = open.back();
      open.pop_back();
      if (node == kNoIndex || is_in_[node]) continue;
      is_in_[node] = true;
      added.push_back(node);
      for (const std::string_view name : model_.inputs_of(model_.nodes[node])) {
        const Index before = maker(name);
        if (before == kNoIndex) continue;
        if (is_constant_[before] || is_quantizer(model_.nodes[before])) open.push_back(before);
      }
    }
    return added;
  }

  void reach_up(std::vector<Index> border, int steps) {
    for (int step = 0; step < steps && !border.empty(); ++step) {
      std::vector<Index> next;
      for (const Index node : border) {
        for (const std::string_view name : model_.inputs_of(model_.nodes[node])) {
          const Index before = maker(name);
          if (before == kNoIndex || is_in_[before]) continue;
          const std::vector<Index> added = add(before);
          next.insert(next.end(), added.begin(), added.end());
        }
      }
      border = std::move(next);
    }
  }

  void reach_down(std::vector<Index> border, int steps) {
    for (int step = 0; step < steps && !border.empty(); ++step) {
      std::vector<Index> next;
      for (const Index node : border) {
        for (const std::string_view name : model_.outputs_of(model_.nodes[node])) {
          const Link* link = links_.find(name);
          if (link == nullptr) continue;
          for (const Reader& reader : link->readers) {
            if (is_in_[reader.node] || holds_graphs(model_, model_.nodes[reader.node])) continue;
            add(reader.node);
            next.push_back(reader.node);
          }
        }
      }
      border = std::move(next);
    }
  }

  Cut cut() const {
    Cut cut;
    Names made, known;
    for (Index node = 0; node < is_in_.size(); ++node) {
      if (!is_in_[node]) continue;
      cut.nodes.push_back(node);
      for (const std::string_view name : model_.outputs_of(model_.nodes[node])) made.insert(name);
    }
    for (const Index node : cut.nodes) {
      for (const std::string_view name : model_.inputs_of(model_.nodes[node])) {
        if (name.empty() || made.contains(name) || is_constant(name)) continue;
        if (known.insert(name).second) cut.inputs.push_back(name);
      }
      for (const std::string_view name : model_.outputs_of(model_.nodes[node])) {
        const Link* link = links_.find(name);
        if (name.empty() || link == nullptr) continue;
        const bool is_read = std::ranges::any_of(
            link->readers, [&](const Reader& reader) { return is_in_[reader.node]; });
        // An output that nothing reads is one that an operator may leave out, such as a mask.
        const bool is_used = !link->readers.empty() || link->is_output || link->is_captured;
        if (!is_read && is_used) cut.outputs.push_back(name);
      }
    }
    return cut;
  }

 private:
  bool is_constant(std::string_view name) const {
    if (name.empty()) return true;
    const Link* link = links_.find(name);
    if (link == nullptr) return false;
    if (link->node != kNoIndex) return is_constant_[link->node];
    return link->initializer != kNoIndex;
  }

  const Model& model_;
  const Links& links_;
  std::vector<bool> is_constant_, is_in_;
};

}  // namespace

Cut cut_around(const Model& model, const Links& links, std::span<const std::string_view> tensors,
               CutReach reach) {
  Cutter cutter(model, links);
  std::vector<Index> middle, before;
  for (const std::string_view tensor : tensors) {
    const Index node = cutter.maker(tensor);
    if (node == kNoIndex) continue;
    middle.push_back(node);
    const std::vector<Index> added = cutter.add(node);
    before.insert(before.end(), added.begin(), added.end());
  }
  cutter.reach_up(std::move(before), reach.up);
  cutter.reach_down(std::move(middle), reach.down);
  return cutter.cut();
}

Cut cut_of(const Model& model, const Links& links, std::span<const std::string_view> made) {
  Cutter cutter(model, links);
  for (const std::string_view tensor : made) cutter.add(cutter.maker(tensor));
  return cutter.cut();
}

Result<void> cut_out(const Model& model, const Links& links, Values& values, const Cut& cut,
                     std::vector<NewValue> inputs, std::vector<NewTensor> constants,
                     std::vector<NewValue> outputs, Edit& edit) {
  const Graph& graph = model.graphs.front();
  Names used;
  std::vector<bool> is_in(model.nodes.size());
  for (const Index node : cut.nodes) {
    is_in[node] = true;
    for (const std::string_view name : model.inputs_of(model.nodes[node])) used.insert(name);
    for (const std::string_view name : model.outputs_of(model.nodes[node])) used.insert(name);
  }
  for (Index node = graph.nodes.first; node < graph.nodes.first + graph.nodes.count; ++node) {
    if (!is_in[node]) edit.remove_node(node);
  }
  Names declared;
  for (const NewValue& value : inputs) declared.insert(value.name);
  for (const NewValue& value : outputs) declared.insert(value.name);
  for (const NewTensor& tensor : constants) declared.insert(tensor.name);
  for (Index at = graph.values.first; at < graph.values.first + graph.values.count; ++at) {
    const Value& value = model.values[at];
    const bool stays = value.role == ValueRole::kInfo && used.contains(value.name) &&
                       !declared.contains(value.name);
    if (!stays) edit.remove_value(at);
  }
  const Range tensors = graph.initializers;
  for (Index at = tensors.first; at < tensors.first + tensors.count; ++at) {
    const Tensor& tensor = model.tensors[at];
    const Link* link = links.find(tensor.name);
    const bool stays = used.contains(tensor.name) && link != nullptr && link->initializer == at &&
                       !declared.contains(tensor.name);
    if (stays && tensor.storage != Storage::kExternal) continue;
    edit.remove_initializer(at);
    if (!stays) continue;
    PLANEX_ASSIGN(std::string raw, values.raw(tensor));
    const auto dims = model.dims_of(tensor);
    edit.add_initializer({.name = std::string(tensor.name),
                          .type = tensor.type,
                          .dims = {dims.begin(), dims.end()},
                          .raw = std::move(raw)});
  }
  for (NewTensor& tensor : constants) edit.add_initializer(std::move(tensor));
  for (NewValue& value : inputs) edit.add_input(std::move(value));
  for (NewValue& value : outputs) edit.add_output(std::move(value));
  return {};
}

}  // namespace planex::onnx
