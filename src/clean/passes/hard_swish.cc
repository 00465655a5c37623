// Clip(x + 3, 0, 6) / 6 is a HardSigmoid, and its product with x a HardSwish.
#include <array>
#include <cmath>

#include "clean/passes.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

constexpr double kThree = 3, kSix = 6;
constexpr float kSlope = 1.0F / 6, kMiddle = 0.5F;
constexpr std::int64_t kOpsetOfHardSwish = 14;

// x of Clip(x + 3, 0, 6).
TensorId of_clip(Draft& draft, NodeId node) {
  if (!draft.is_op(node, "Clip") || draft.has_attribute(node, "max")) return kNone;
  const auto least = draft.scalar(draft.input(node, 1));
  const auto most = draft.scalar(draft.input(node, 2));
  if (!least || !most || *least != 0 || *most != kSix) return kNone;
  const NodeId sum = maker_of(draft, node, 0, "Add");
  if (sum == kNone) return kNone;
  return with_scalar(draft, sum, "Add", kThree).value_or(kNone);
}

// The input of a division by 6, however it is written.
TensorId of_sixth(Draft& draft, NodeId node) {
  if (const auto found = with_scalar(draft, node, "Div", kSix)) return *found;
  return with_scalar(draft, node, "Mul", 1 / kSix).value_or(kNone);
}

// x, where the node multiplies x with what `gate` recognizes.
template <typename Gate>
TensorId gated(const Draft& draft, NodeId node, Gate gate) {
  if (!draft.is_op(node, "Mul") || draft.input_count(node) != 2) return kNone;
  for (const std::size_t place : {std::size_t{0}, std::size_t{1}}) {
    const TensorId x = draft.input(node, 1 - place);
    if (x != kNone && gate(draft.maker(draft.input(node, place))) == x) return x;
  }
  return kNone;
}

TensorId of_hard_sigmoid(Draft& draft, NodeId node) {
  constexpr float kTolerance = 1e-6F;
  const bool is_it = draft.is_op(node, "HardSigmoid") &&
                     std::abs(draft.float_of(node, "alpha", 0.2F) - kSlope) < kTolerance &&
                     draft.float_of(node, "beta", kMiddle) == kMiddle;
  return is_it ? draft.input(node, 0) : kNone;
}

void join_hard_swish(Work& work) {
  Draft& draft = work.draft;
  for (const NodeId node : draft.nodes()) {
    if (!draft.is_live(node) || !draft.is_type(draft.output(node), onnx::DataType::kFloat) ||
        is_beside_pairs(draft, node)) {
      continue;
    }
    const TensorId product = of_sixth(draft, node);
    const NodeId before = draft.maker(product);
    TensorId swish = kNone;
    if (draft.opset() >= kOpsetOfHardSwish) {
      swish = gated(draft, node, [&](NodeId gate) { return of_hard_sigmoid(draft, gate); });
      if (swish == kNone && before != kNone) {
        swish = gated(draft, before, [&](NodeId gate) { return of_clip(draft, gate); });
      }
    }
    if (swish != kNone) {
      work.tell(node);
      draft.replace(node, {.op = "HardSwish", .name = {}, .inputs = {swish}, .attributes = {}});
      continue;
    }
    const TensorId x = of_clip(draft, before);
    if (x == kNone) continue;
    work.tell(node);
    draft.replace(node, {.op = "HardSigmoid",
                         .name = {},
                         .inputs = {x},
                         .attributes = {{"alpha", kSlope}, {"beta", kMiddle}}});
  }
}

}  // namespace

const Pass passes::kHardSwish{"hard-swish", "HardSigmoid and HardSwish that are spelled out",
                              Effect::kRounding, join_hard_swish};

}  // namespace planex::clean
