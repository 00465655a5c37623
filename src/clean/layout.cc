#include "clean/layout.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "clean/evaluate.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

constexpr std::array<std::string_view, 35> kUnary = {"Abs",       "Acos",
                                                     "Asin",      "Atan",
                                                     "Cast",      "Ceil",
                                                     "Clip",      "Cos",
                                                     "Elu",       "Erf",
                                                     "Exp",       "Floor",
                                                     "Gelu",      "HardSigmoid",
                                                     "HardSwish", "IsNaN",
                                                     "LeakyRelu", "Log",
                                                     "Mish",      "Neg",
                                                     "Not",       "Reciprocal",
                                                     "Relu",      "Round",
                                                     "Selu",      "Sigmoid",
                                                     "Sign",      "Sin",
                                                     "Softplus",  "Softsign",
                                                     "Sqrt",      "Tan",
                                                     "Tanh",      "ThresholdedRelu",
                                                     "Identity"};
constexpr std::array<std::string_view, 19> kBroadcasting = {
    "Add", "And",   "Div", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual",
    "Max", "Mean",  "Min", "Mul",   "Or",      "PRelu",          "Pow",  "Sub",
    "Sum", "Where", "Xor"};
constexpr std::array<std::string_view, 8> kReductions = {
    "ReduceMean", "ReduceSum", "ReduceMax",       "ReduceMin",
    "ReduceL1",   "ReduceL2",  "ReduceSumSquare", "ReduceProd"};

// Before this opset Softmax treated all dimensions from the axis on as one.
constexpr std::int64_t kOpsetOfOneAxis = 13;
// A larger constant that others also read would be in the file twice.
constexpr std::int64_t kMaxSharedBytes = 1 << 20;

bool can_turn_constant(const Draft& draft, TensorId id, std::size_t rank) {
  const auto dims = draft.constant_dims(id);
  const auto bytes = draft.constant_bytes(id);
  if (!dims || !bytes || dims->size() > rank) return false;
  if (count_of(*dims) == 1) return true;
  const bool is_shared = draft.tensor(id).readers.size() != 1 || draft.is_external(id);
  const auto bits = onnx::bits_per_element(draft.tensor(id).type);
  return bits && *bits % 8 == 0 && (!is_shared || *bytes <= kMaxSharedBytes);
}

// In older opsets an attribute, then an input.
std::optional<Dims> list_of(Draft& draft, NodeId node, std::string_view name, std::size_t place) {
  if (draft.has_attribute(node, name)) return draft.ints_of(node, name);
  return draft.ints(draft.input(node, place));
}

void set_list(Draft& draft, NodeId node, std::string_view name, std::size_t place, Dims values) {
  if (draft.has_attribute(node, name)) {
    draft.set_attribute(node, {std::string(name), std::move(values)});
  } else {
    draft.set_input(node, place, draft.add_ints(derived_name(draft, node, name), values));
  }
}

bool is_known_slice(Draft& draft, NodeId node) {
  return draft.input_count(node) >= 3 && draft.ints(draft.input(node, 1)) &&
         (draft.input(node, 3) == kNone || draft.ints(draft.input(node, 3)));
}

std::int64_t turned_axis(std::int64_t axis, const Dims& perm) {
  return perm[*axis_at(axis, perm.size())];
}

}  // namespace

std::optional<Dims> perm_of(const Draft& draft, NodeId node) {
  if (!draft.is_op(node, "Transpose")) return std::nullopt;
  auto perm = draft.ints_of(node, "perm");
  if (!perm) {
    const auto rank = draft.rank(draft.input(node, 0));
    if (!rank) return std::nullopt;
    perm.emplace(*rank);
    std::iota(perm->rbegin(), perm->rend(), 0);
  }
  Dims sorted = *perm;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (!std::cmp_equal(sorted[i], i)) return std::nullopt;
  }
  return perm;
}

Dims inverse_of(const Dims& perm) {
  Dims inverse(perm.size());
  for (std::size_t i = 0; i < perm.size(); ++i) {
    inverse[static_cast<std::size_t>(perm[i])] = static_cast<std::int64_t>(i);
  }
  return inverse;
}

Dims joined_perm(const Dims& first, const Dims& second) { return permuted(first, second); }

Dims permuted(const Dims& dims, const Dims& perm) {
  Dims result;
  for (const std::int64_t axis : perm) result.push_back(dims[static_cast<std::size_t>(axis)]);
  return result;
}

std::optional<std::size_t> free_inputs(Draft& draft, NodeId node, std::size_t rank) {
  const std::string_view op = draft.op(node);
  if (op.empty() || draft.outputs(node).empty() || draft.has_bodies(node)) return std::nullopt;
  std::size_t count = 1;
  if (contains(kBroadcasting, op) || op == "Concat") {
    count = draft.input_count(node);
    const bool is_axis_known =
        op != "Concat" || axis_at(draft.int_of(node, "axis", 1), rank).has_value();
    if (!is_axis_known) return std::nullopt;
  } else if (op == "Softmax" || op == "LogSoftmax") {
    if (draft.opset() < kOpsetOfOneAxis || !axis_at(draft.int_of(node, "axis", -1), rank)) {
      return std::nullopt;
    }
  } else if (contains(kReductions, op)) {
    if (draft.int_of(node, "keepdims", 1) == 0 || !reduced_axes(draft, node)) return std::nullopt;
  } else if (op == "Pad") {
    const auto pads = list_of(draft, node, "pads", 1);
    if (!pads || pads->size() != 2 * rank || draft.input(node, 3) != kNone) return std::nullopt;
  } else if (op == "Slice") {
    if (!is_known_slice(draft, node)) return std::nullopt;
  } else if (op == "Split") {
    if (!axis_at(draft.int_of(node, "axis", 0), rank)) return std::nullopt;
  } else if (!contains(kUnary, op)) {
    return std::nullopt;
  }
  bool has_tensor = false;
  for (std::size_t place = 0; place < count; ++place) {
    const TensorId input = draft.input(node, place);
    if (input == kNone) return std::nullopt;
    if (draft.is_constant(input)) {
      const bool is_whole = op != "Concat" || draft.constant_dims(input)->size() == rank;
      if (!is_whole || !can_turn_constant(draft, input, rank)) return std::nullopt;
    } else if (draft.rank(input) == rank) {
      has_tensor = true;
    } else if (draft.rank(input) != 0) {
      return std::nullopt;
    }
  }
  for (const TensorId output : draft.outputs(node)) {
    if (output != kNone && draft.rank(output) != rank) return std::nullopt;
  }
  if (!has_tensor || is_beside_pairs(draft, node)) return std::nullopt;
  return count;
}

void turn(Draft& draft, NodeId node, const Dims& perm) {
  const std::string_view op = draft.op(node);
  const std::size_t rank = perm.size();
  if (op == "Concat" || op == "Softmax" || op == "LogSoftmax" || op == "Split") {
    const std::int64_t usual = op == "Concat" ? 1 : op == "Split" ? 0 : -1;
    draft.set_attribute(node, {"axis", turned_axis(draft.int_of(node, "axis", usual), perm)});
  } else if (contains(kReductions, op)) {
    Dims axes = *reduced_axes(draft, node);
    if (axes.size() == rank) return;
    for (std::int64_t& axis : axes) axis = turned_axis(axis, perm);
    std::ranges::sort(axes);
    set_list(draft, node, "axes", 1, std::move(axes));
  } else if (op == "Pad") {
    const Dims pads = *list_of(draft, node, "pads", 1);
    Dims turned(pads.size());
    for (std::size_t i = 0; i < pads.size(); ++i) {
      const std::size_t half = i < rank ? 0 : rank;
      turned[half + static_cast<std::size_t>(perm[i - half])] = pads[i];
    }
    set_list(draft, node, "pads", 1, std::move(turned));
  } else if (op == "Slice") {
    Dims axes;
    if (draft.input(node, 3) == kNone) {
      axes.resize(draft.ints(draft.input(node, 1))->size());
      std::iota(axes.begin(), axes.end(), 0);
    } else {
      axes = *draft.ints(draft.input(node, 3));
    }
    for (std::int64_t& axis : axes) axis = turned_axis(axis, perm);
    draft.set_input(node, 3, draft.add_ints(derived_name(draft, node, "axes"), axes));
  }
  if (!contains(kBroadcasting, op) && op != "Concat") return;
  const Dims inverse = inverse_of(perm);
  for (std::size_t place = 0; place < draft.input_count(node); ++place) {
    const TensorId input = draft.input(node, place);
    if (!draft.is_constant(input)) continue;
    if (count_of(*draft.constant_dims(input)) == 1 && op != "Concat") continue;
    auto constant = draft.load(input);
    if (!constant) continue;
    constant->dims.insert(constant->dims.begin(), rank - constant->dims.size(), 1);
    auto turned = transposed(*constant, inverse);
    if (!turned) continue;
    draft.set_input(node, place,
                    draft.add_constant(draft.tensor(input).name + "_turned", *std::move(turned)));
  }
}

}  // namespace planex::clean
