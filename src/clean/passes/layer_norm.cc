// (x - mean) / sqrt(variance + epsilon) along the last axes, with the factor and the shift behind
// it.
#include <algorithm>
#include <optional>

#include "clean/passes.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

constexpr std::int64_t kOpsetOfLayerNorm = 17;

// The mean along the last axes, with the axes kept: how many.
std::optional<std::size_t> mean_axes(Draft& draft, NodeId node) {
  if (!draft.is_op(node, "ReduceMean") || draft.int_of(node, "keepdims", 1) == 0) {
    return std::nullopt;
  }
  const auto rank = draft.rank(draft.input(node, 0));
  const auto axes = reduced_axes(draft, node);
  if (!rank || !axes || axes->empty() || axes->size() >= *rank) return std::nullopt;
  const bool is_last = std::cmp_equal(axes->front(), *rank - axes->size());
  return is_last ? std::optional(axes->size()) : std::nullopt;
}

struct Normalized {
  TensorId of = kNone;
  std::size_t axes = 0;
  double epsilon = 0;
};

// The square of `centered`: Pow, or a product with itself.
bool is_square(Draft& draft, TensorId square, TensorId centered) {
  const NodeId node = draft.maker(square);
  if (draft.is_op(node, "Mul")) {
    return draft.input(node, 0) == centered && draft.input(node, 1) == centered;
  }
  return with_scalar(draft, node, "Pow", 2) == centered;
}

// The node divides by the standard deviation.
std::optional<Normalized> normalized(Draft& draft, NodeId node) {
  if (!draft.is_op(node, "Div") || draft.input_count(node) != 2) return std::nullopt;
  const TensorId centered = draft.input(node, 0);
  const NodeId root = maker_of(draft, node, 1, "Sqrt");
  const NodeId difference = draft.maker(centered);
  if (root == kNone || !draft.is_op(difference, "Sub")) return std::nullopt;
  const auto sum = scalar_beside(draft, draft.maker(draft.input(root, 0)), "Add");
  if (!sum || sum->second < 0) return std::nullopt;
  const NodeId variance = draft.maker(sum->first);
  const NodeId mean = draft.maker(draft.input(difference, 1));
  const TensorId x = draft.input(difference, 0);
  const auto axes = mean_axes(draft, mean);
  if (!axes || draft.input(mean, 0) != x || mean_axes(draft, variance) != axes ||
      !is_square(draft, draft.input(variance, 0), centered)) {
    return std::nullopt;
  }
  return Normalized{x, *axes, sum->second};
}

// A constant in the shape of the last axes, which the tensor's only reader applies.
TensorId parameter(Draft& draft, NodeId reader, std::string_view op, TensorId of,
                   const Dims& dims) {
  if (!draft.is_op(reader, op) || is_beside_pairs(draft, reader)) return kNone;
  const auto operands = with_constant(draft, reader);
  if (!operands || operands->computed != of || draft.constant_dims(operands->constant) != dims) {
    return kNone;
  }
  return operands->constant;
}

void join_layer_norm(Work& work) {
  Draft& draft = work.draft;
  if (draft.opset() < kOpsetOfLayerNorm) return;
  for (const NodeId node : draft.nodes()) {
    const auto found = normalized(draft, node);
    if (!found || !draft.is_type(found->of, onnx::DataType::kFloat) ||
        is_beside_pairs(draft, node)) {
      continue;
    }
    const Dims& shape = *draft.tensor(found->of).shape;
    const Dims last(shape.end() - static_cast<std::ptrdiff_t>(found->axes), shape.end());
    const auto count = count_of(last);
    constexpr std::int64_t kMost = 1 << 16;
    if (!count || *count < 1 || *count > kMost) continue;
    NodeId end = node;
    const NodeId product = draft.sole_reader(draft.output(node));
    TensorId scale = parameter(draft, product, "Mul", draft.output(node), last);
    TensorId shift = kNone;
    if (scale != kNone) {
      end = product;
      const NodeId sum = draft.sole_reader(draft.output(product));
      shift = parameter(draft, sum, "Add", draft.output(product), last);
      if (shift != kNone) end = sum;
    } else {
      // The operator requires one.
      scale = add_floats(draft, derived_name(draft, node, "scale"), last,
                         std::vector<float>(static_cast<std::size_t>(*count), 1.0F));
    }
    work.tell(node);
    NodeDraft made{.op = "LayerNormalization",
                   .name = {},
                   .inputs = {found->of, scale},
                   .attributes = {{"axis", -static_cast<std::int64_t>(found->axes)},
                                  {"epsilon", static_cast<float>(found->epsilon)}}};
    if (shift != kNone) made.inputs.push_back(shift);
    draft.replace(end, std::move(made));
  }
}

}  // namespace

const Pass passes::kLayerNorm{"layer-norm",
                              "LayerNormalization that is spelled out, from opset 17 on",
                              Effect::kRounding, join_layer_norm};

}  // namespace planex::clean
