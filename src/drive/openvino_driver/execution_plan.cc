#include "drive/openvino_driver/execution_plan.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <openvino/core/node.hpp>
#include <openvino/op/result.hpp>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "drive/openvino_driver/macs.h"

namespace planex::drive {
namespace {

using NodePtr = std::shared_ptr<ov::Node>;
using Dims = std::vector<std::int64_t>;

// Keys of rt_info that have their own fields, or that say nothing (the time of a model that has not
// run yet).
constexpr std::array<std::string_view, 8> kOwnFields = {
    "execOrder",        "execTimeMcs",   "layerType",        "primitiveType",
    "runtimePrecision", "outputLayouts", "outputPrecisions", "originalLayersNames"};

std::string info_of(const ov::Node& node, const char* key) {
  const auto& info = node.get_rt_info();
  const auto found = info.find(key);
  return found == info.end() ? std::string() : found->second.as<std::string>();
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

// Whether two memory orders written as axis letters ("acdb") are equivalent for a tensor of these
// dimensions: axes of length 1 don't count.
bool is_same_order(std::string_view from, std::string_view to, const Dims& dims) {
  const auto essential = [&](std::string_view order) -> std::optional<std::string> {
    std::string kept;
    for (const char letter : order) {
      if (letter < 'a' || letter > 'z') return std::nullopt;  // Blocked: aBcd16b.
      const auto axis = static_cast<std::size_t>(letter - 'a');
      if (axis >= dims.size()) return std::nullopt;
      if (dims[axis] != 1) kept += letter;
    }
    return kept;
  };
  const auto a = essential(from);
  return a && a == essential(to);
}

class PlanReader {
 public:
  PlanReader(const SourceTable& sources, const OperationTable& operations)
      : sources_(sources), operations_(operations) {}

  std::vector<PlanLayer> read(const ov::Model& model) {
    // Topological, so that a node's inputs come before it.
    const auto nodes = model.get_ordered_ops();
    for (const auto& node : nodes) name_node(*node);
    std::vector<PlanLayer> layers;
    layers.reserve(nodes.size());
    for (const auto& node : nodes) layers.push_back(read_layer(*node));
    std::ranges::stable_sort(layers, {}, [](const PlanLayer& layer) {
      return layer.exec_order.value_or(std::numeric_limits<std::int64_t>::max());
    });
    count_macs(layers, sources_, operations_);
    return layers;
  }

 private:
  // Names are unique in all models seen so far, but nothing guarantees it.
  void name_node(const ov::Node& node) {
    std::string name = node.get_friendly_name();
    if (!taken_.insert(name).second) {
      name += "#" + info_of(node, "execOrder");
      taken_.insert(name);
    }
    names_[&node] = std::move(name);
  }

  PlanPort port(const ov::Output<const ov::Node>& output) {
    const ov::Node& node = *output.get_node();
    PlanPort port;
    port.tensor = names_.at(&node);
    if (node.get_output_size() > 1) port.tensor += ":" + std::to_string(output.get_index());
    port.dims = dims_of(output.get_partial_shape());
    port.element_type = output.get_element_type().get_type_name();
    const auto layouts = split(info_of(node, "outputLayouts"));
    if (layouts.size() == 1) {
      port.layout = layouts[0];
    } else if (layouts.size() == node.get_output_size()) {
      port.layout = layouts[output.get_index()];
    }
    port.is_constant = constants_.contains(&node);
    return port;
  }

  PlanLayer read_layer(const ov::Node& node) {
    PlanLayer layer;
    layer.name = names_.at(&node);
    layer.layer_type = info_of(node, "layerType");
    layer.primitive_type = info_of(node, "primitiveType");
    layer.runtime_precision = info_of(node, "runtimePrecision");
    layer.output_precisions = info_of(node, "outputPrecisions");
    layer.output_layouts = info_of(node, "outputLayouts");
    const std::string order = info_of(node, "execOrder");
    std::int64_t exec_order = 0;
    if (std::from_chars(order.data(), order.data() + order.size(), exec_order).ec == std::errc{}) {
      layer.exec_order = exec_order;
    }
    for (const auto& [key, value] : node.get_rt_info()) {
      if (std::ranges::find(kOwnFields, key) != kOwnFields.end()) continue;
      layer.other_info.emplace(key, value.as<std::string>());
    }

    for (const auto& input : node.inputs()) {
      const auto& output = input.get_source_output();
      layer.inputs.push_back(port({output.get_node(), output.get_index()}));
    }
    if (!ov::is_type<ov::op::v0::Result>(&node)) {
      for (const auto& output : node.outputs()) layer.outputs.push_back(port(output));
    }
    const bool all_constant =
        !layer.inputs.empty() && std::ranges::all_of(layer.inputs, &PlanPort::is_constant);
    if (layer.layer_type == "Const" || all_constant) constants_.insert(&node);
    layer.role = role_of(node, layer);
    if (layer.role == "constant") {
      for (PlanPort& output : layer.outputs) output.is_constant = true;
    }
    layer.are_port_types_uncertain = are_port_types_uncertain(node, layer);
    layer.sources = decode_sources(info_of(node, "originalLayersNames"), sources_);
    // A constant, input or output has no sources; its list contains its own name.
    if (layer.role == "constant" || layer.role == "input" || layer.role == "output") {
      layer.sources = {};
    } else {
      collect_weights(node, layer);
    }
    find_parameters(layer);
    return layer;
  }

  std::string role_of(const ov::Node& node, const PlanLayer& layer) const {
    if (constants_.contains(&node)) return "constant";
    if (layer.layer_type == "Input") return "input";
    if (layer.layer_type == "Output") return "output";
    // A Reshape only renames dimensions; a real move would be a Reorder before it.
    if (layer.layer_type == "Reshape") return "noop";
    if (layer.layer_type == "ShapeOf") return "shape";
    if (layer.layer_type == "Reorder" && layer.inputs.size() == 1 && layer.outputs.size() == 1) {
      const PlanPort& from = layer.inputs[0];
      const PlanPort& to = layer.outputs[0];
      if (from.element_type == to.element_type && from.layout && to.layout && to.dims &&
          is_same_order(*from.layout, *to.layout, *to.dims)) {
        return "noop";
      }
    }
    return "work";
  }

  static bool are_port_types_uncertain(const ov::Node& node, const PlanLayer& layer) {
    const auto is_mixed = [](const std::string& list) {
      const auto parts = split(list);
      return std::ranges::any_of(parts, [&](const std::string& part) { return part != parts[0]; });
    };
    if (node.get_output_size() < 2) return false;
    if (!is_mixed(layer.output_precisions) && !is_mixed(layer.output_layouts)) return false;
    // Reader i belongs to port i only if every port before it has exactly one reader.
    for (std::size_t i = 0; i + 1 < node.get_output_size(); ++i) {
      if (node.output(i).get_target_inputs().size() != 1) return true;
    }
    return false;
  }

  // The Const nodes that feed the layer's constant inputs, each once.
  void collect_weights(const ov::Node& node, PlanLayer& layer) {
    std::vector<const ov::Node*> pending;
    std::unordered_set<const ov::Node*> seen;
    const auto visit = [&](const ov::Node& reader, bool only_constant) {
      for (std::size_t i = reader.get_input_size(); i-- > 0;) {
        const ov::Node* from = reader.get_input_node_ptr(i);
        if (only_constant && !constants_.contains(from)) continue;
        if (seen.insert(from).second) pending.push_back(from);
      }
    };
    visit(node, true);
    while (!pending.empty()) {
      const ov::Node* next = pending.back();
      pending.pop_back();
      if (next->get_input_size() > 0) {
        visit(*next, false);
        continue;
      }
      PlanWeight weight;
      weight.name = names_.at(next);
      weight.dims = dims_of(next->get_output_partial_shape(0));
      const ov::element::Type type = next->get_output_element_type(0);
      weight.element_type = type.get_type_name();
      if (weight.dims && type.is_static()) {
        const auto bits =
            checked_product(product(*weight.dims), static_cast<std::int64_t>(type.bitwidth()));
        if (bits) weight.bytes = (*bits + 7) / 8;
      }
      layer.weights.push_back(std::move(weight));
    }
  }

  // Takes the parameters of the first source of the same kind as the layer.
  void find_parameters(PlanLayer& layer) const {
    const auto kind = operation_kind(layer.layer_type);
    if (!kind || layer.role == "constant") return;
    for (const SourceReference& source : layer.sources.references) {
      const auto [first, last] = operations_.equal_range(source.index);
      for (auto next = first; next != last; ++next) {
        if (next->second.kind != *kind) continue;
        layer.parameters = next->second.parameters;
        layer.parameters_from = source.index;
        return;
      }
    }
  }

  const SourceTable& sources_;
  const OperationTable& operations_;
  std::unordered_map<const ov::Node*, std::string> names_;
  std::unordered_set<std::string> taken_;
  // Nodes whose value is known at compile time: Const, and nodes computed only from such nodes.
  std::unordered_set<const ov::Node*> constants_;
};

std::vector<ModelPort> model_ports(const std::vector<ov::Output<const ov::Node>>& ports) {
  std::vector<ModelPort> result;
  for (const auto& port : ports) {
    // A set without an order; sorted, so that equal models give equal files.
    const auto& names = port.get_names();
    ModelPort record{{names.begin(), names.end()},
                     dims_of(port.get_partial_shape()),
                     port.get_element_type().get_type_name()};
    std::ranges::sort(record.names);
    if (record.names.empty()) record.names.push_back(port.get_node()->get_friendly_name());
    result.push_back(std::move(record));
  }
  return result;
}

}  // namespace

ExecutionPlan read_execution_plan(const ov::CompiledModel& compiled, const SourceTable& sources,
                                  const OperationTable& operations) {
  ExecutionPlan plan;
  plan.inputs = model_ports(compiled.inputs());
  plan.outputs = model_ports(compiled.outputs());
  plan.layers = PlanReader(sources, operations).read(*compiled.get_runtime_model());
  return plan;
}

}  // namespace planex::drive
