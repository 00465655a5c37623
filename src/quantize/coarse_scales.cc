#include "quantize/coarse_scales.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/find.h"
#include "base/text.h"
#include "onnx/attributes.h"
#include "quantize/flow.h"

namespace planex::quantize {
namespace {

using onnx::Index;
using onnx::kNoIndex;

struct BoundedOperation {
  std::string_view op_type;
  ValueRange range;
};
// Bounds by the definitions in ONNX's operator sets.
constexpr auto kBounded = std::to_array<BoundedOperation>({{"Sigmoid", {0, 1}},
                                                           {"HardSigmoid", {0, 1}},
                                                           {"Softmax", {0, 1}},
                                                           {"Hardmax", {0, 1}},
                                                           {"Tanh", {-1, 1}},
                                                           {"Softsign", {-1, 1}},
                                                           {"Erf", {-1, 1}},
                                                           {"Sin", {-1, 1}},
                                                           {"Cos", {-1, 1}}});

// Their outputs are values that went in; for pooling, values between these.
constexpr auto kMoves = std::to_array<std::string_view>({"Reshape",
                                                         "Transpose",
                                                         "Squeeze",
                                                         "Unsqueeze",
                                                         "Flatten",
                                                         "Identity",
                                                         "Slice",
                                                         "Split",
                                                         "Gather",
                                                         "Expand",
                                                         "Tile",
                                                         "MaxPool",
                                                         "AveragePool",
                                                         "GlobalAveragePool",
                                                         "GlobalMaxPool",
                                                         "QuantizeLinear",
                                                         "DequantizeLinear",
                                                         "DepthToSpace",
                                                         "SpaceToDepth",
                                                         "Concat"});

ValueRange joined(const ValueRange& a, const ValueRange& b) {
  return {.low = std::min(a.low, b.low), .high = std::max(a.high, b.high)};
}

}  // namespace

// What a node reads comes before it in the file, so one pass knows all of it.
ValueRanges::ValueRanges(const onnx::Model& model, const onnx::Links& links, onnx::Values& values)
    : model_(model), links_(links), values_(values), known_(model.nodes.size()) {
  const Index count = model.graphs.front().nodes.count;
  for (Index node = 0; node < count; ++node) known_[node] = of_node(model.nodes[node]);
}

std::optional<ValueRange> ValueRanges::of(std::string_view tensor) const {
  const onnx::Link* link = links_.find(tensor);
  return link == nullptr || link->node == kNoIndex ? std::nullopt : known_[link->node];
}

std::optional<ValueRange> ValueRanges::of_node(const onnx::Node& node) {
  if (!onnx::is_default_domain(node.domain)) return std::nullopt;
  const auto* bounded = base::find(kBounded, node.op_type, &BoundedOperation::op_type);
  if (bounded != nullptr) return bounded->range;
  if (node.op_type == "Clip") return limits_of(node);
  if (std::ranges::find(kMoves, node.op_type) == kMoves.end()) return std::nullopt;
  const auto inputs = model_.inputs_of(node);
  if (inputs.empty()) return std::nullopt;
  std::optional<ValueRange> range = of(inputs[0]);
  if (node.op_type != "Concat") return range;
  for (const std::string_view input : inputs.subspan(1)) {
    const auto other = of(input);
    if (!range || !other) return std::nullopt;
    range = joined(*range, *other);
  }
  return range;
}

// Both have to be constants; until opset 10 they are attributes.
std::optional<ValueRange> ValueRanges::limits_of(const onnx::Node& node) {
  const auto inputs = model_.inputs_of(node);
  const auto limit = [&](std::size_t place, std::string_view attribute) -> std::optional<double> {
    if (place < inputs.size() && !inputs[place].empty()) {
      const Index constant = links_.constant(inputs[place]);
      if (constant == kNoIndex || model_.tensors[constant].type != onnx::DataType::kFloat) {
        return std::nullopt;
      }
      const auto floats = values_.floats(model_.tensors[constant]);
      return floats && floats->size() == 1 ? std::optional(double{floats->front()}) : std::nullopt;
    }
    const onnx::Attribute* found = onnx::find_attribute(model_, node, attribute);
    const auto value = found != nullptr ? onnx::float_of(*found) : std::nullopt;
    return value ? std::optional(double{*value}) : std::nullopt;
  };
  const auto low = limit(1, "min"), high = limit(2, "max");
  if (!low || !high || !(*low < *high) || !std::isfinite(*high - *low)) return std::nullopt;
  return ValueRange{.low = *low, .high = *high};
}

std::vector<CoarseScale> find_coarse_scales(const onnx::Model& model, const onnx::Links& links,
                                            const Existing& existing, onnx::Values& values) {
  if (existing.pairs.empty()) return {};
  const ValueRanges ranges(model, links, values);
  const Flow flow(model, links);
  std::vector<CoarseScale> found;
  std::string_view last;
  for (const ExistingPair& pair : existing.pairs) {
    // Several DQ of one Q are pairs of one tensor.
    if (pair.scale.bits.size() != 1 || pair.tensor == last || pair.scale.is_float8) continue;
    const auto scale = double{std::bit_cast<float>(pair.scale.bits.front())};
    if (!(scale > 0) || !std::isfinite(scale)) continue;
    std::optional<CoarseScale> coarsest;
    const auto look_at = [&](std::string_view part) {
      const auto range = ranges.of(part);
      if (!range) return;
      const double steps = (range->high - range->low) / scale;
      if (steps >= kMinSteps || (coarsest && steps >= coarsest->step_count)) return;
      coarsest = CoarseScale{.tensor = std::string(pair.tensor),
                             .part = std::string(flow.link(flow.resolve(flow.find(part))).name),
                             .scale = scale,
                             .low = range->low,
                             .high = range->high,
                             .step_count = steps};
    };
    look_at(pair.tensor);
    // Skips nodes that only move values, to reach the joined tensors.
    Index node = pair.maker;
    constexpr int kMaxMoves = 16;
    for (int i = 0; i < kMaxMoves && node != kNoIndex; ++i) {
      const std::string_view op = model.nodes[node].op_type;
      const auto inputs = model.inputs_of(model.nodes[node]);
      if (op == "Concat") {
        for (const std::string_view input : inputs) look_at(input);
        break;
      }
      if (inputs.empty() || std::ranges::find(kMoves, op) == kMoves.end()) break;
      const onnx::Link* input = links.find(inputs[0]);
      node = input == nullptr ? kNoIndex : input->node;
    }
    if (!coarsest) continue;
    last = pair.tensor;
    found.push_back(std::move(*coarsest));
  }
  return found;
}

std::string sentence_of(const CoarseScale& coarse) {
  const std::string range = base::format("{:.4g} … {:.4g}", coarse.low, coarse.high);
  const std::string scale = base::format("scale {:.4g}", coarse.scale);
  const bool is_joined = coarse.part != coarse.tensor;
  const std::string of = is_joined ? base::format(" of {}", base::quoted(coarse.tensor)) : "";
  if (coarse.step_count <= 1) {
    return base::format("{}{} is wider than the whole range of {} ({})", scale, of,
                        base::quoted(coarse.part), range);
  }
  return base::format("{}{} leaves only {:.1f} of 255 steps for the whole range of {} ({})", scale,
                      of, coarse.step_count, base::quoted(coarse.part), range);
}

std::string cure_of(const CoarseScale& coarse) {
  if (coarse.part == coarse.tensor)
    return "give it a scale that fits its range, or leave it in "
           "float";
  return base::format("remove the pair of {}, or give each joined part its own",
                      base::quoted(coarse.tensor));
}

}  // namespace planex::quantize
