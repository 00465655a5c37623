#include "quantize/backbone.h"

#include <array>
#include <string_view>

namespace planex::quantize {
namespace {

using onnx::Index;
using onnx::kNoIndex;

constexpr std::array<std::string_view, 13> kActivations = {
    "BatchNormalization", "Relu",    "LeakyRelu", "PRelu", "Clip",    "Elu",     "HardSwish",
    "HardSigmoid",        "Sigmoid", "Gelu",      "Mish",  "Dropout", "Identity"};
constexpr std::array<std::string_view, 4> kArithmetic = {"Add", "Mul", "Sub", "Div"};

// x * clip(x + 3, 0, 6) / 6 has four nodes.
constexpr int kGateNodes = 8;
constexpr int kChainNodes = 32;

// The input of an arithmetic node whose other one is constant.
TensorId variable_input(const Flow& flow, Index node) {
  const TensorId first = flow.input(node, 0), second = flow.input(node, 1);
  if (first == kNoTensor || second == kNoTensor) return kNoTensor;
  if (flow.is_fixed(second)) return first;
  return flow.is_fixed(first) ? second : kNoTensor;
}

// Whether `gate` is a function of `x` alone, element by element.
bool is_gate(const Flow& flow, TensorId x, TensorId gate) {
  Index last = kNoIndex;
  for (int steps = 0; steps < kGateNodes && gate != kNoTensor; ++steps) {
    if (gate == x) return steps > 0;
    const Index maker = flow.maker(gate);
    if (maker == kNoIndex || maker >= last) return false;
    last = maker;
    if (flow.is_op(maker, kActivations)) {
      gate = flow.input(maker, 0);
    } else if (flow.is_op(maker, kArithmetic)) {
      gate = variable_input(flow, maker);
    } else {
      return false;
    }
  }
  return false;
}

}  // namespace

bool is_fused(const Flow& flow, Index node) { return flow.is_op(node, kActivations); }

TensorId fused_input(const Flow& flow, Index node) {
  if (is_fused(flow, node)) return flow.input(node, 0);
  if (!flow.is_op(node, kArithmetic)) return kNoTensor;
  if (const TensorId only = variable_input(flow, node); only != kNoTensor) return only;
  const TensorId first = flow.input(node, 0), second = flow.input(node, 1);
  if (flow.op(node) != "Mul" || first == kNoTensor || second == kNoTensor) return kNoTensor;
  if (is_gate(flow, first, second)) return first;
  return is_gate(flow, second, first) ? second : kNoTensor;
}

std::optional<Backbone> find_backbone(const Flow& flow, const std::vector<bool>& is_layer,
                                      TensorId tensor) {
  Backbone found;
  for (int steps = 0; steps < kChainNodes && tensor != kNoTensor; ++steps) {
    const Index maker = flow.maker(tensor);
    if (maker == kNoIndex || (!found.chain.empty() && maker >= found.chain.back())) break;
    found.chain.push_back(maker);
    if (is_layer[maker]) {
      found.layer = maker;
      return found;
    }
    tensor = fused_input(flow, maker);
  }
  return std::nullopt;
}

}  // namespace planex::quantize
