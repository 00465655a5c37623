#include "quantize/only.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "quantize/fold.h"

namespace planex::quantize {
namespace {

using onnx::DataType;
using onnx::Index;
using onnx::kNoIndex;

// Operators that a weight can go through before the layer that computes with it.
bool moves_values_only(std::string_view op_type) {
  constexpr std::array<std::string_view, 6> kOps = {"Transpose", "Reshape", "Identity",
                                                    "Squeeze",   "Flatten", "Unsqueeze"};
  return std::ranges::find(kOps, op_type) != kOps.end();
}

// The layer that reads a weight's DQ, directly or indirectly.
onnx::Reader layer_behind(const ModelView& subject, onnx::Reader reader) {
  constexpr int kMaxSteps = 4;
  for (int step = 0; step < kMaxSteps; ++step) {
    const onnx::Node& node = subject.model.nodes[reader.node];
    if (!moves_values_only(node.op_type) || reader.input != 0) break;
    const auto outputs = subject.model.outputs_of(node);
    const onnx::Link* made = outputs.empty() ? nullptr : subject.links.find(outputs.front());
    if (made == nullptr || made->readers.size() != 1) break;
    reader = made->readers.front();
  }
  return reader;
}

std::size_t element_count(std::span<const std::int64_t> dims) {
  std::size_t count = 1;
  for (const std::int64_t dim : dims)
    count *= static_cast<std::size_t>(std::max<std::int64_t>(dim, 0));
  return count;
}

class WeightReader {
 public:
  WeightReader(const ModelView& subject, const ModelView& reference)
      : subject_(subject), reference_(reference) {}

  Result<FloatWeight> read(const ExistingWeight& weight) {
    FloatWeight found;
    PLANEX_ASSIGN(std::vector<float> own, dequantized(weight));
    if (own.empty()) return found;
    PLANEX_ASSIGN(found.values, of_reference(weight));
    if (found.values.size() != own.size()) {
      found.values = std::move(own);
      found.is_dequantized = true;
      return found;
    }
    double signal = 0, noise = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const auto value = static_cast<double>(found.values[i]);
      const double error = static_cast<double>(own[i]) - value;
      signal += value * value;
      noise += error * error;
    }
    if (signal > 0 && noise > 0) found.sqnr_db = 10 * std::log10(signal / noise);
    return found;
  }

 private:
  // Empty where scales are unknown or don't fit.
  Result<std::vector<float>> dequantized(const ExistingWeight& weight) {
    const onnx::Tensor& tensor = subject_.model.tensors[weight.tensor];
    const auto dims = subject_.model.dims_of(tensor);
    const std::size_t channels = weight.scale.bits.size();
    if (channels == 0) return std::vector<float>();
    std::size_t inner = 1;
    const auto rank = static_cast<std::int64_t>(dims.size());
    if (channels > 1) {
      const std::int64_t axis =
          weight.scale.axis < 0 ? weight.scale.axis + rank : weight.scale.axis;
      if (axis < 0 || axis >= rank ||
          std::cmp_not_equal(dims[static_cast<std::size_t>(axis)], channels)) {
        return std::vector<float>();
      }
      inner = element_count(dims.subspan(static_cast<std::size_t>(axis) + 1));
    }
    if (inner == 0) return std::vector<float>();
    auto integers = subject_.values.ints(tensor);
    if (!integers && integers.error().code == ErrorCode::kUnsupported) return std::vector<float>();
    if (!integers) return fail(integers.error());
    std::vector<float> values;
    values.reserve(integers->size());
    const std::vector<std::int64_t>& zeros = weight.scale.zero_points;
    for (std::size_t i = 0; i < integers->size(); ++i) {
      const std::size_t channel = i / inner % channels;
      const std::int64_t zero = zeros.empty() ? 0 : zeros[channel % zeros.size()];
      values.push_back(static_cast<float>((*integers)[i] - zero) *
                       std::bit_cast<float>(weight.scale.bits[channel]));
    }
    return values;
  }

  // Empty where it has none.
  Result<std::vector<float>> of_reference(const ExistingWeight& weight) {
    if (weight.readers.empty()) return std::vector<float>();
    const onnx::Reader layer = layer_behind(subject_, weight.readers.front());
    const onnx::Node& node = subject_.model.nodes[layer.node];
    const auto outputs = subject_.model.outputs_of(node);
    const onnx::Link* made = outputs.empty() ? nullptr : reference_.links.find(outputs.front());
    if (made == nullptr || made->node == kNoIndex) return std::vector<float>();
    const auto dims = subject_.model.dims_of(subject_.model.tensors[weight.tensor]);
    if (is_op(made->node, node.op_type)) return constant_at(made->node, layer.input, dims);
    if (!is_op(made->node, "BatchNormalization") || layer.input != 1) return std::vector<float>();
    const onnx::Link* between = reference_.links.find(
        reference_.model.inputs_of(reference_.model.nodes[made->node]).front());
    if (between == nullptr || !is_op(between->node, node.op_type)) return std::vector<float>();
    return folded(between->node, dims);
  }

  bool is_op(Index node, std::string_view op_type) const {
    return node != kNoIndex && reference_.model.nodes[node].op_type == op_type;
  }

  Result<std::vector<float>> constant_at(Index node, std::uint32_t input,
                                         std::span<const std::int64_t> dims) {
    const auto inputs = reference_.model.inputs_of(reference_.model.nodes[node]);
    const Index tensor =
        input < inputs.size() ? reference_.links.constant(inputs[input]) : kNoIndex;
    if (tensor == kNoIndex ||
        !std::ranges::equal(reference_.model.dims_of(reference_.model.tensors[tensor]), dims)) {
      return std::vector<float>();
    }
    return reference_.values.floats(reference_.model.tensors[tensor]);
  }

  Result<std::vector<float>> folded(Index node, std::span<const std::int64_t> dims) {
    const std::string_view name = reference_.model.inputs_of(reference_.model.nodes[node])[1];
    const Index tensor = reference_.links.constant(name);
    if (tensor == kNoIndex ||
        !std::ranges::equal(reference_.model.dims_of(reference_.model.tensors[tensor]), dims)) {
      return std::vector<float>();
    }
    Placement placement;
    placement.weights.push_back(
        {.name = name, .tensor = tensor, .readers = {{node, 1}}, .layer = node});
    placement.layers.push_back(node);
    PLANEX_ASSIGN(auto folded, fold_normalizations(reference_.model, reference_.links,
                                                   reference_.values, placement));
    const auto found = folded.find(node);
    return found == folded.end() ? std::vector<float>() : std::move(found->second.weights);
  }

  const ModelView& subject_;
  const ModelView& reference_;
};

// Whether anything besides the nodes of the main graph reads the output of a DQ or Q.
bool is_seen_outside(const ModelView& subject, std::string_view tensor) {
  const onnx::Link* link = subject.links.find(tensor);
  return link != nullptr && (link->is_output || link->is_captured);
}

// Has the type that the DQ writes.
onnx::NewTensor initializer_of(const ModelView& subject, const ExistingWeight& weight,
                               const FloatWeight& floats, std::string name) {
  const auto dims = subject.model.dims_of(subject.model.tensors[weight.tensor]);
  return {.name = std::move(name),
          .dims = {dims.begin(), dims.end()},
          .raw = onnx::raw_of(floats.values)};
}

}  // namespace

std::vector<QuantizedLayer> quantized_layers(const ModelView& subject, const Existing& existing) {
  std::map<Index, QuantizedLayer> layers;
  std::map<Index, std::map<std::uint32_t, std::size_t>> pairs;
  for (std::size_t place = 0; place < existing.pairs.size(); ++place) {
    for (const onnx::Reader& reader : existing.pairs[place].readers) {
      pairs[reader.node][reader.input] = place;
    }
  }
  for (const auto& [node, inputs] : pairs) {
    layers[node].node = node;
    for (const auto& [input, place] : inputs) layers[node].pairs.push_back(place);
  }
  for (std::size_t place = 0; place < existing.weights.size(); ++place) {
    std::set<Index> nodes;
    for (const onnx::Reader& reader : existing.weights[place].readers) {
      nodes.insert(layer_behind(subject, reader).node);
    }
    for (const Index node : nodes) {
      layers[node].node = node;
      layers[node].weights.push_back(place);
    }
  }
  std::vector<QuantizedLayer> all;
  for (auto& [node, layer] : layers) all.push_back(std::move(layer));
  return all;
}

Result<std::vector<FloatWeight>> float_weights(const ModelView& subject, const Existing& existing,
                                               const ModelView& reference) {
  WeightReader reader(subject, reference);
  std::vector<FloatWeight> found;
  for (const ExistingWeight& weight : existing.weights) {
    PLANEX_ASSIGN(FloatWeight one, reader.read(weight));
    found.push_back(std::move(one));
  }
  return found;
}

Kept Kept::none() {
  return {.pair = [](std::size_t, onnx::Reader) { return false; },
          .weight = [](std::size_t) { return false; }};
}

Kept Kept::layer(const QuantizedLayer& layer) {
  return {
      .pair = [node = layer.node](std::size_t, onnx::Reader reader) { return reader.node == node; },
      .weight =
          [weights = layer.weights](std::size_t weight) {
            return std::ranges::find(weights, weight) != weights.end();
          }};
}

void keep_only(const ModelView& subject, const Existing& existing,
               const std::vector<FloatWeight>& weights, const Kept& kept, onnx::Edit& edit) {
  // Readers of each Q that stay: several DQ can share it.
  std::map<Index, std::size_t> left;
  for (const ExistingPair& pair : existing.pairs) {
    const auto outputs = subject.model.outputs_of(subject.model.nodes[pair.quantizer]);
    const onnx::Link* integers = outputs.empty() ? nullptr : subject.links.find(outputs.front());
    left[pair.quantizer] = integers == nullptr ? 1
                                               : integers->readers.size() +
                                                     (integers->is_output || integers->is_captured);
  }
  for (std::size_t place = 0; place < existing.pairs.size(); ++place) {
    const ExistingPair& pair = existing.pairs[place];
    const std::string tensor(pair.tensor);
    const bool is_seen = is_seen_outside(subject, pair.output);
    // No node reads for the graph.
    bool is_read = is_seen && kept.pair(place, onnx::Reader{});
    for (const onnx::Reader& reader : pair.readers) {
      if (kept.pair(place, reader)) {
        is_read = true;
      } else {
        edit.set_input(reader.node, reader.input, tensor);
      }
    }
    if (is_read) continue;
    if (is_seen) {
      edit.insert_node(pair.dequantizer, {.op_type = "Identity",
                                          .name = {},
                                          .inputs = {tensor},
                                          .outputs = {std::string(pair.output)}});
    }
    edit.remove_node(pair.dequantizer);
    if (--left[pair.quantizer] == 0) edit.remove_node(pair.quantizer);
  }
  onnx::FreshNames names(subject.model, edit);
  for (std::size_t place = 0; place < existing.weights.size(); ++place) {
    const ExistingWeight& weight = existing.weights[place];
    if (weights[place].values.empty() || kept.weight(place) || weight.readers.empty()) continue;
    const onnx::Node& node = subject.model.nodes[weight.dequantizer];
    if (is_seen_outside(subject, subject.model.outputs_of(node).front())) continue;
    std::string name = names.take(std::string(weight.name) + "_float");
    for (const onnx::Reader& reader : weight.readers) {
      edit.set_input(reader.node, reader.input, name);
    }
    edit.add_initializer(initializer_of(subject, weight, weights[place], std::move(name)));
    edit.remove_node(weight.dequantizer);
  }
}

}  // namespace planex::quantize
