#include "quantize/flow.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace planex::quantize {

using onnx::Index;
using onnx::kNoIndex;

bool keeps_values(std::string_view op_type) {
  constexpr std::array<std::string_view, 7> kOps = {"MaxPool",   "Reshape", "Transpose", "Squeeze",
                                                    "Unsqueeze", "Flatten", "Identity"};
  return std::ranges::find(kOps, op_type) != kOps.end();
}

Flow::Flow(const onnx::Model& model, const onnx::Links& links)
    : model_(model), links_(links), node_count_(model.graphs.front().nodes.count) {
  first_inputs_.reserve(node_count_ + std::size_t{1});
  first_inputs_.push_back(0);
  std::vector<std::uint32_t> counts(links.all().size() + 1);
  is_fixed_.resize(links.all().size());
  makers_.resize(links.all().size());
  for (TensorId tensor = 0; tensor < makers_.size(); ++tensor) {
    is_fixed_[tensor] = constant(tensor) != kNoIndex;
    makers_[tensor] = is_fixed_[tensor] ? kNoIndex : link(tensor).node;
  }
  for (Index node = 0; node < node_count_; ++node) {
    for (const std::string_view name : model.inputs_of(model.nodes[node])) {
      inputs_.push_back(name.empty() ? kNoTensor : resolve(find(name)));
    }
    first_inputs_.push_back(static_cast<std::uint32_t>(inputs_.size()));
    if (is_quantizer(node) || is_dequantizer(node)) has_pairs_ = true;
    find_fixed(node);
    if (is_pair_node(node)) continue;
    for (const TensorId tensor : inputs(node)) {
      if (tensor != kNoTensor) ++counts[tensor + 1];
    }
  }
  for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
  first_readers_ = counts;
  readers_.resize(counts.back());
  for (Index node = 0; node < node_count_; ++node) {
    if (is_pair_node(node)) continue;
    const auto all = inputs(node);
    for (std::uint32_t place = 0; place < all.size(); ++place) {
      if (all[place] != kNoTensor) readers_[counts[all[place]]++] = {node, place};
    }
  }
}

// Outputs of a node whose inputs are all fixed. A node without inputs can produce random numbers.
void Flow::find_fixed(Index node) {
  const auto all = inputs(node);
  if (all.empty() || !std::ranges::all_of(all, [&](TensorId tensor) {
        return tensor == kNoTensor || is_fixed_[tensor];
      })) {
    return;
  }
  for (const std::string_view name : model_.outputs_of(model_.nodes[node])) {
    if (const TensorId made = find(name); made != kNoTensor) is_fixed_[made] = true;
  }
}

std::string_view Flow::op(Index node) const {
  const onnx::Node& of = model_.nodes[node];
  return onnx::is_default_domain(of.domain) ? of.op_type : std::string_view();
}

bool Flow::is_op(Index node, std::span<const std::string_view> ops) const {
  return node != kNoIndex && std::ranges::find(ops, op(node)) != ops.end();
}

bool Flow::is_quantizer(Index node) const {
  return node != kNoIndex && op(node) == "QuantizeLinear";
}

bool Flow::is_dequantizer(Index node) const {
  return node != kNoIndex && op(node) == "DequantizeLinear";
}

bool Flow::is_pair_node(Index node) const {
  if (is_quantizer(node)) {
    const TensorId made = output(node);
    if (made == kNoTensor || link(made).is_output) return false;
    // An integer layer also reads it: a QLinearConv, or a MaxPool.
    return std::ranges::all_of(link(made).readers, [&](const onnx::Reader& reader) {
      return is_dequantizer(reader.node) && reader.input == 0;
    });
  }
  return is_dequantizer(node) && resolve(output(node)) != output(node);
}

// Bounded, since a damaged model can contain a ring of pairs.
TensorId Flow::resolve(TensorId tensor) const {
  for (int steps = 0; tensor != kNoTensor && steps < 16; ++steps) {
    const Index maker = link(tensor).node;
    if (!is_dequantizer(maker)) return tensor;
    const auto read = model_.inputs_of(model_.nodes[maker]);
    const TensorId integers = read.empty() ? kNoTensor : find(read.front());
    if (integers == kNoTensor || !is_quantizer(link(integers).node)) return tensor;
    const auto floats = model_.inputs_of(model_.nodes[link(integers).node]);
    const TensorId source = floats.empty() ? kNoTensor : find(floats.front());
    if (source == kNoTensor) return tensor;
    tensor = source;
  }
  return tensor;
}

std::span<const TensorId> Flow::inputs(Index node) const {
  return std::span(inputs_).subspan(first_inputs_[node],
                                    first_inputs_[node + 1] - first_inputs_[node]);
}

TensorId Flow::input(Index node, std::uint32_t place) const {
  const auto all = inputs(node);
  return place < all.size() ? all[place] : kNoTensor;
}

TensorId Flow::output(Index node, std::uint32_t place) const {
  const auto all = model_.outputs_of(model_.nodes[node]);
  return place < all.size() && !all[place].empty() ? find(all[place]) : kNoTensor;
}

TensorId Flow::find(std::string_view name) const {
  const onnx::Link* found = links_.find(name);
  return found == nullptr ? kNoTensor : static_cast<TensorId>(found - links_.all().data());
}

std::span<const onnx::Reader> Flow::readers(TensorId tensor) const {
  return std::span(readers_).subspan(first_readers_[tensor],
                                     first_readers_[tensor + 1] - first_readers_[tensor]);
}

Index Flow::constant(TensorId tensor) const {
  const Index found = links_.constant(link(tensor).name);
  if (found != kNoIndex) return found;
  const Index maker = link(tensor).node;
  if (!is_dequantizer(maker)) return kNoIndex;
  const auto read = model_.inputs_of(model_.nodes[maker]);
  return read.empty() ? kNoIndex : links_.constant(read.front());
}

bool Flow::is_declared_otherwise(TensorId tensor) const {
  const Index value = link(tensor).value;
  if (value == kNoIndex) return false;
  const onnx::Value& declared = model_.values[value];
  if (declared.kind == onnx::ValueKind::kUnknown) return false;
  return declared.kind != onnx::ValueKind::kTensor ||
         (declared.type != onnx::DataType::kFloat && declared.type != onnx::DataType::kUndefined);
}

std::string Flow::name_of(Index node) const {
  const std::string_view name = model_.nodes[node].name;
  if (!name.empty()) return base::quoted(name);
  return base::format("node #{} ({})", node, base::quoted(model_.nodes[node].op_type));
}

}  // namespace planex::quantize
