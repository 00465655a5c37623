#include "quantize/timed_parts.h"

#include <algorithm>
#include <set>

namespace planex::quantize {
namespace {

bool is_quantizer(const onnx::Node& node) { return node.op_type == "QuantizeLinear"; }
bool is_dequantizer(const onnx::Node& node) { return node.op_type == "DequantizeLinear"; }

}  // namespace

ModelParts parts_of(const onnx::Model& model, const onnx::Links& links,
                    const Placement& placement) {
  ModelParts parts{.layers = placement.layers};
  parts.of_node.resize(model.nodes.size());
  const std::size_t count = model.graphs.empty() ? 0 : model.graphs.front().nodes.count;
  // Layers ascend, and nodes follow those that they read.
  for (onnx::Index node = 0; node < count; ++node) {
    const auto layer = std::ranges::lower_bound(parts.layers, node);
    if (layer != parts.layers.end() && *layer == node) {
      parts.of_node[node] = static_cast<std::uint32_t>(layer - parts.layers.begin());
      continue;
    }
    for (const std::string_view input : model.inputs_of(model.nodes[node])) {
      const onnx::Link* link = links.find(input);
      if (link == nullptr || link->node == onnx::kNoIndex) continue;
      parts.of_node[node] = std::max(parts.of_node[node], parts.of_node[link->node]);
    }
  }
  for (const PlacedTensor& tensor : placement.tensors) {
    std::set<std::uint32_t> of;
    const onnx::Link* link = links.find(tensor.name);
    std::optional<std::uint32_t> maker;
    if (link != nullptr && link->node != onnx::kNoIndex) maker = parts.of_node[link->node];
    if (maker) of.insert(*maker);
    for (const onnx::Reader& reader : tensor.readers) {
      if (const auto part = parts.of_node[reader.node]) of.insert(*part);
    }
    if (of.size() < 2) continue;
    parts.tensors.push_back({.parts = {of.begin(), of.end()}});
    parts.maker_of.push_back(maker);
  }
  return parts;
}

FloatNodes::FloatNodes(const onnx::Model& quantized, const onnx::Links& quantized_links,
                       const onnx::Model& model, const onnx::Links& links)
    : quantized_(quantized),
      quantized_links_(quantized_links),
      model_(model),
      links_(links),
      quantized_names_(quantized),
      names_(model) {}

onnx::Index FloatNodes::find(std::string_view name) const {
  const onnx::Index node = quantized_names_.find(name);
  return node == onnx::kNoIndex ? onnx::kNoIndex : node_of(node);
}

onnx::Index FloatNodes::node_of(onnx::Index quantized) const {
  const onnx::Node& node = quantized_.nodes[quantized];
  const auto inputs = quantized_.inputs_of(node);
  if (!is_quantizer(node) && !is_dequantizer(node)) {
    const onnx::Index same = node.name.empty() ? onnx::kNoIndex : names_.find(node.name);
    if (same != onnx::kNoIndex && model_.nodes[same].op_type == node.op_type) return same;
  }
  // The same tensor; a normalization that was folded leaves its own to the layer.
  for (const std::string_view output : quantized_.outputs_of(node)) {
    const onnx::Link* link = links_.find(output);
    if (link != nullptr && link->node != onnx::kNoIndex) return link->node;
  }
  if (inputs.empty() || (!is_quantizer(node) && !is_dequantizer(node))) return onnx::kNoIndex;
  const onnx::Link* source = quantized_links_.find(inputs.front());
  if (source != nullptr && source->node != onnx::kNoIndex && source->node != quantized) {
    return node_of(source->node);
  }
  // Of a constant or an input: through the pair to who reads it.
  for (const std::string_view output : quantized_.outputs_of(node)) {
    const onnx::Link* link = quantized_links_.find(output);
    if (link == nullptr || link->readers.empty()) continue;
    onnx::Index reader = link->readers.front().node;
    if (is_dequantizer(quantized_.nodes[reader])) {
      const auto behind = quantized_.outputs_of(quantized_.nodes[reader]);
      const onnx::Link* next = behind.empty() ? nullptr : quantized_links_.find(behind.front());
      if (next == nullptr || next->readers.empty()) return onnx::kNoIndex;
      reader = next->readers.front().node;
    }
    const onnx::Node& last = quantized_.nodes[reader];
    if (!is_quantizer(last) && !is_dequantizer(last)) return node_of(reader);
  }
  return onnx::kNoIndex;
}

PartTimes part_times(const MeasuredEngine& engine, const ModelParts& parts,
                     const FloatNodes& nodes) {
  PartTimes times;
  times.ms.resize(parts.layers.size());
  times.written_bytes.resize(parts.layers.size());
  for (const MeasuredLayer& layer : engine.layers) {
    std::set<std::uint32_t> of_layers, of_others;
    for (const std::string& name : layer.nodes) {
      const onnx::Index node = nodes.find(name);
      if (node == onnx::kNoIndex || !parts.of_node[node]) continue;
      const bool is_layer = parts.layers[*parts.of_node[node]] == node;
      (is_layer ? of_layers : of_others).insert(*parts.of_node[node]);
    }
    std::set<std::uint32_t> of = of_layers;
    if (of.empty() && !of_others.empty()) of = {*of_others.rbegin()};
    if (of.empty()) continue;
    times.written_bytes[*of.rbegin()] = layer.written_bytes;
    // What else runs on the machine makes all but the least longer, by more than kernels differ.
    const std::optional<double> ms = layer.least_ms ? layer.least_ms : layer.time_ms;
    if (!ms) continue;
    for (const std::uint32_t part : of) {
      times.ms[part] = times.ms[part].value_or(0) + *ms / static_cast<double>(of.size());
    }
  }
  return times;
}

}  // namespace planex::quantize
