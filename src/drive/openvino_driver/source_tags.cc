#include "drive/openvino_driver/source_tags.h"

#include <algorithm>
#include <charconv>
#include <openvino/core/node.hpp>
#include <openvino/core/runtime_attribute.hpp>
#include <openvino/op/constant.hpp>
#include <openvino/op/parameter.hpp>
#include <openvino/op/result.hpp>
#include <utility>

namespace planex::drive {
namespace {

constexpr char kMark = '\x1f';
// The key from which OpenVINO's CPU device reads its list of names.
constexpr const char* kRuntimeInfoKey = "originalLayersNames";

class SourceTag final : public ov::RuntimeAttribute {
 public:
  OPENVINO_RTTI("planex_source_tag", "0", ov::RuntimeAttribute);

  SourceTag() = default;
  explicit SourceTag(std::set<SourceIndex> sources) : sources_(std::move(sources)) {}

  bool is_copyable() const override { return true; }

  ov::Any merge(const ov::NodeVector& nodes) const override {
    std::set<SourceIndex> all;
    for (const auto& node : nodes) {
      const auto& info = node->get_rt_info();
      const auto found = info.find(kRuntimeInfoKey);
      if (found == info.end() || !found->second.is<SourceTag>()) continue;
      const auto& other = found->second.as<SourceTag>().sources_;
      all.insert(other.begin(), other.end());
    }
    return SourceTag(std::move(all));
  }

  std::string to_string() const override {
    std::string text;
    for (const SourceIndex source : sources_) {
      text += kMark;
      text += std::to_string(source);
      text += kMark;
    }
    return text;
  }

 private:
  std::set<SourceIndex> sources_;
};

bool is_operation(const ov::Node& node) {
  return !ov::is_type<ov::op::v0::Constant>(&node) && !ov::is_type<ov::op::v0::Parameter>(&node) &&
         !ov::is_type<ov::op::v0::Result>(&node);
}

// The sources of the first operation reading `node` that has any.
std::set<SourceIndex> sources_of_readers(const ov::Node& node, const SourceTable& table) {
  for (const auto& output : node.outputs()) {
    for (const auto& input : output.get_target_inputs()) {
      const auto found = table.of_node.find(input.get_node());
      if (found != table.of_node.end() && !found->second.empty()) return found->second;
    }
  }
  return {};
}

// Names of fused operations survive where their tags don't.
void index_names(SourceTable& table) {
  for (const auto& [node, sources] : table.of_node) {
    if (!sources.empty())
      table.of_name[node->get_friendly_name()].insert(sources.begin(), sources.end());
  }
}

}  // namespace

SourceTable sources_of_onnx(const ov::Model& model, const onnx::Model& source) {
  SourceTable table;
  std::unordered_map<std::string_view, SourceIndex> by_tensor;
  for (const onnx::Node& node : source.nodes_of(source.graphs.front())) {
    const auto index = static_cast<SourceIndex>(table.operations.size());
    const auto outputs = source.outputs_of(node);
    const std::string_view output = outputs.empty() ? std::string_view{} : outputs.front();
    table.operations.push_back(
        {std::string(node.name.empty() ? output : node.name), std::string(node.op_type)});
    for (const std::string_view tensor : outputs) {
      if (!tensor.empty()) by_tensor.emplace(tensor, index);
    }
  }

  const auto operations = model.get_ordered_ops();
  for (const auto& node : operations) {
    if (!is_operation(*node)) continue;
    auto& sources = table.of_node[node.get()];
    for (const auto& output : node->outputs()) {
      for (const auto& tensor : output.get_names()) {
        if (const auto found = by_tensor.find(tensor); found != by_tensor.end()) {
          sources.insert(found->second);
        }
      }
    }
  }
  // From the end, so that a chain of helpers is reached from its readers.
  for (auto node = operations.rbegin(); node != operations.rend(); ++node) {
    const auto found = table.of_node.find(node->get());
    if (found == table.of_node.end() || !found->second.empty()) continue;
    found->second = sources_of_readers(**node, table);
  }
  index_names(table);
  return table;
}

SourceTable sources_of_ir(const ov::Model& model) {
  SourceTable table;
  for (const auto& node : model.get_ordered_ops()) {
    if (!is_operation(*node)) continue;
    table.of_node[node.get()] = {static_cast<SourceIndex>(table.operations.size())};
    table.operations.push_back({node->get_friendly_name(), node->get_type_name()});
  }
  index_names(table);
  return table;
}

void tag_model(const ov::Model& model, const SourceTable& table) {
  for (const auto& node : model.get_ordered_ops()) {
    const auto found = table.of_node.find(node.get());
    if (found == table.of_node.end() || found->second.empty()) continue;
    node->get_rt_info()[kRuntimeInfoKey] = SourceTag(found->second);
  }
}

LayerSources decode_sources(std::string_view original_names, const SourceTable& table) {
  std::map<SourceIndex, SourceEvidence> found;
  // Tags first; the text between them is names that OpenVINO added.
  std::string rest;
  for (std::size_t i = 0; i < original_names.size();) {
    const std::size_t end =
        original_names[i] == kMark ? original_names.find(kMark, i + 1) : std::string_view::npos;
    if (end == std::string_view::npos) {
      rest += original_names[i++];
      continue;
    }
    SourceIndex index = 0;
    const auto parsed =
        std::from_chars(original_names.data() + i + 1, original_names.data() + end, index);
    if (parsed.ec == std::errc{} && index < table.operations.size()) {
      found[index] = SourceEvidence::kProvenance;
    }
    i = end + 1;
  }

  LayerSources sources;
  for (std::size_t start = 0; start < rest.size();) {
    const std::size_t end = std::min(rest.find(',', start), rest.size());
    const std::string_view name = std::string_view(rest).substr(start, end - start);
    start = end + 1;
    if (name.empty()) continue;
    const auto known = table.of_name.find(std::string(name));
    if (known == table.of_name.end()) {
      sources.unresolved.emplace_back(name);
      continue;
    }
    for (const SourceIndex index : known->second) found.emplace(index, SourceEvidence::kName);
  }
  for (const auto& [index, evidence] : found) sources.references.push_back({index, evidence});
  return sources;
}

}  // namespace planex::drive
