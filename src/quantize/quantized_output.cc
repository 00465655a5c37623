#include "quantize/quantized_output.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace planex::quantize {
namespace {

using onnx::Index;
using onnx::kNoIndex;

// Before a uint8 quantizer they do what the ends of its range do anyway. For a Clip that is so
// where the scale comes from the range that was seen after it, and that range does not go below 0.
constexpr std::array<std::string_view, 2> kSaturating = {"Relu", "Clip"};
constexpr std::array<std::string_view, 5> kOnBytes = {"Add", "Mul", "Concat", "Sigmoid",
                                                      "LeakyRelu"};

// The only node that reads a tensor; kNoIndex where there are others, or where it is an output of
// the model.
Index only_reader(const Flow& flow, TensorId tensor) {
  if (flow.link(tensor).is_output || flow.link(tensor).is_captured) return kNoIndex;
  const auto readers = flow.readers(tensor);
  return readers.size() == 1 ? readers.front().node : kNoIndex;
}

bool are_rest_fixed(const Flow& flow, Index node, TensorId data) {
  const auto inputs = flow.inputs(node);
  if (inputs.empty() || inputs.front() != data) return false;
  for (const TensorId input : inputs.subspan(1)) {
    if (input != kNoTensor && !flow.is_fixed(input)) return false;
  }
  return true;
}

bool is_bias_of(const Flow& flow, Index node, TensorId data) {
  if (node == kNoIndex || flow.op(node) != "Add") return false;
  const TensorId first = flow.input(node, 0), second = flow.input(node, 1);
  const TensorId other = first == data ? second : first;
  return other != kNoTensor && other != data && flow.is_fixed(other);
}

}  // namespace

TensorId quantized_output(const Flow& flow, Index layer, bool can_fold) {
  TensorId made = flow.output(layer);
  if (made == kNoTensor) return kNoTensor;
  constexpr std::uint32_t kBiasAt = 2;
  if (flow.op(layer) == "MatMul") {
    // ONNX Runtime first turns both into a Gemm; with a Relu after it, that one stays in float.
    const Index bias = only_reader(flow, made);
    return is_bias_of(flow, bias, made) ? flow.output(bias) : kNoTensor;
  }
  const bool is_product = flow.op(layer) == "Gemm";
  bool has_bias = flow.input(layer, kBiasAt) != kNoTensor;
  Index next = only_reader(flow, made);
  if (can_fold && next != kNoIndex && flow.op(next) == "BatchNormalization" &&
      are_rest_fixed(flow, next, made)) {
    has_bias = true;
    made = flow.output(next);
    next = made == kNoTensor ? kNoIndex : only_reader(flow, made);
  }
  if (is_product && !has_bias) return kNoTensor;
  if (next != kNoIndex && flow.is_op(next, kSaturating) && are_rest_fixed(flow, next, made)) {
    if (const TensorId behind = flow.output(next); behind != kNoTensor) made = behind;
  }
  return made;
}

Index clamp_behind(const Flow& flow, Index product) {
  TensorId made = flow.output(product);
  if (made == kNoTensor) return kNoIndex;
  Index next = only_reader(flow, made);
  if (is_bias_of(flow, next, made) && flow.output(next) != kNoTensor) {
    made = flow.output(next);
    next = only_reader(flow, made);
  }
  if (next == kNoIndex || !flow.is_op(next, kSaturating)) return kNoIndex;
  const TensorId behind = flow.output(next);
  return behind == kNoTensor || flow.link(behind).is_output ? kNoIndex : next;
}

Index operation_before(const Flow& flow, TensorId tensor) {
  Index maker = flow.maker(tensor);
  if (maker != kNoIndex && flow.op(maker) == "Relu") {
    const TensorId source = flow.input(maker, 0);
    if (source == kNoTensor || only_reader(flow, source) != maker) return kNoIndex;
    const Index before = flow.maker(source);
    // An activation of an activation is not one of the sums that are meant.
    if (before == kNoIndex || before >= maker || flow.op(before) != "Add") return kNoIndex;
    return before;
  }
  return flow.is_op(maker, kOnBytes) ? maker : kNoIndex;
}

bool is_never_negative(const Flow& flow, TensorId tensor) {
  for (Index maker = flow.maker(tensor); maker != kNoIndex;) {
    if (flow.op(maker) == "Relu" || flow.op(maker) == "Sigmoid") return true;
    if (!keeps_values(flow.op(maker))) return false;
    const Index before = flow.maker(flow.input(maker, 0));
    if (before == kNoIndex || before >= maker) return false;
    maker = before;
  }
  return false;
}

}  // namespace planex::quantize
