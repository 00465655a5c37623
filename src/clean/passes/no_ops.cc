// Operations that give their input back: Identity, Dropout outside training, shapes that are
// already so, sums with 0 and products with 1.
#include <algorithm>
#include <numeric>

#include "clean/passes.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

// Both have one shape, of which at most one size is unknown: the number of elements says it.
bool has_same_shape(const Draft& draft, TensorId one, TensorId two) {
  const auto& a = draft.tensor(one).shape;
  const auto& b = draft.tensor(two).shape;
  if (!a || a != b) return false;
  return std::ranges::count_if(*a, [](std::int64_t dim) { return dim < 1; }) <= 1 &&
         !contains(*a, 0);
}

bool is_same_static_shape(const Draft& draft, TensorId one, TensorId two) {
  const auto shape = draft.static_shape(one);
  return shape && shape == draft.static_shape(two);
}

bool is_inference_dropout(Draft& draft, NodeId node) {
  const TensorId training = draft.input(node, 2);
  if (training == kNone) return true;
  const auto value = draft.load(training, 1);
  return value && value->raw.size() == 1 && value->raw[0] == 0;
}

// A product with 1, or a sum with 0: which input it gives back.
TensorId neutral(Draft& draft, NodeId node, std::string_view op) {
  const auto found = with_constant(draft, node);
  if (!found) return kNone;
  const bool is_product = op == "Mul" || op == "Div" || op == "Pow";
  const bool is_ordered = op == "Div" || op == "Sub" || op == "Pow";
  if (is_ordered && found->place == 0) return kNone;
  const auto constant = draft.floats(found->constant, 1 << 20);
  if (!constant || constant->empty()) return kNone;
  const float wanted = is_product ? 1.0F : 0.0F;
  if (!std::ranges::all_of(*constant, [&](float value) { return value == wanted; })) return kNone;
  // It must not broadcast the tensor to a larger shape.
  const auto dims = draft.constant_dims(found->constant);
  const auto& shape = draft.tensor(found->computed).shape;
  if (dims->empty()) return found->computed;
  if (!shape || dims->size() > shape->size()) return kNone;
  const std::size_t shift = shape->size() - dims->size();
  for (std::size_t i = 0; i < dims->size(); ++i) {
    if ((*dims)[i] != 1 && (*dims)[i] != (*shape)[i + shift]) return kNone;
  }
  return found->computed;
}

bool is_zero_pad(Draft& draft, NodeId node) {
  const auto pads = draft.has_attribute(node, "pads") ? draft.ints_of(node, "pads")
                                                      : draft.ints(draft.input(node, 1));
  return pads && std::ranges::all_of(*pads, [](std::int64_t pad) { return pad == 0; });
}

// The input that the node gives back, or kNone.
TensorId given_back(Draft& draft, NodeId node) {
  const std::string_view op = draft.op(node);
  const TensorId input = draft.input(node, 0), output = draft.output(node);
  if (op == "Identity") return input;
  if (op == "Dropout") return is_inference_dropout(draft, node) ? input : kNone;
  if (op == "Cast") {
    const auto to = static_cast<onnx::DataType>(draft.int_of(node, "to", 0));
    return draft.is_type(input, to) ? input : kNone;
  }
  if (op == "Transpose") {
    const auto perm = draft.ints_of(node, "perm");
    if (!perm) return draft.rank(input) == 1 || draft.rank(input) == 0 ? input : kNone;
    return std::ranges::is_sorted(*perm) ? input : kNone;
  }
  if (op == "Reshape" || op == "Flatten" || op == "Squeeze" || op == "Unsqueeze") {
    return has_same_shape(draft, input, output) ? input : kNone;
  }
  if (op == "Expand" || op == "Tile" || op == "Slice") {
    if (!is_same_static_shape(draft, input, output)) return kNone;
    if (op != "Slice") return input;
    // Backwards it would keep the shape, too.
    const auto steps = draft.input(node, 4) == kNone ? Dims() : draft.ints(draft.input(node, 4));
    const bool is_forward =
        steps && std::ranges::all_of(*steps, [](std::int64_t step) { return step > 0; });
    return is_forward ? input : kNone;
  }
  if (op == "Concat" || op == "Sum" || op == "Max" || op == "Min" || op == "Mean") {
    return draft.input_count(node) == 1 ? input : kNone;
  }
  if (op == "Pad") return is_zero_pad(draft, node) ? input : kNone;
  if (op == "Mul" || op == "Div" || op == "Add" || op == "Sub" || op == "Pow") {
    return neutral(draft, node, op);
  }
  return kNone;
}

void drop_no_ops(Work& work) {
  Draft& draft = work.draft;
  for (const NodeId node : draft.nodes()) {
    if (!draft.is_live(node) || draft.op(node).empty() || draft.output(node) == kNone) continue;
    const TensorId same = given_back(draft, node);
    if (same == kNone || same == draft.output(node)) continue;
    // Where it has to stay as an Identity it is not simplified again.
    const std::string name = draft.name_of(node);
    if (draft.bypass(node, same)) work.tell(name);
  }
}

}  // namespace

const Pass passes::kNoOps{"no-ops", "operations that give their input back", Effect::kExact,
                          drop_no_ops};

}  // namespace planex::clean
