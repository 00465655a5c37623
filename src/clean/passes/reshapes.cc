// Reshape, Squeeze, Unsqueeze and Flatten in a row are one Reshape; and sizes that a Reshape reads
// from a computed list are constants where all but one are known.
#include <algorithm>
#include <array>

#include "clean/passes.h"
#include "clean/patterns.h"
#include "onnx/shape_rules.h"

namespace planex::clean {
namespace {

bool is_reshaping(const Draft& draft, NodeId node) {
  constexpr std::array<std::string_view, 4> kOps = {"Reshape", "Squeeze", "Unsqueeze", "Flatten"};
  return draft.is_live(node) && contains(kOps, draft.op(node));
}

// Sizes for a Reshape that makes the shape of `tensor` out of any other one.
std::optional<Dims> sizes_for(Draft& draft, NodeId node) {
  const auto& shape = draft.tensor(draft.output(node)).shape;
  if (shape && !contains(*shape, 0) &&
      std::ranges::count_if(*shape, [](std::int64_t dim) { return dim < 0; }) <= 1) {
    return *shape;  // an open size is -1
  }
  if (!draft.is_op(node, "Reshape") || draft.input(node, 1) == kNone) return std::nullopt;
  const auto sizes = draft.ints(draft.input(node, 1));
  // 0 copies from the input, which would be another one.
  if (!sizes || contains(*sizes, 0)) return std::nullopt;
  return sizes;
}

// Whether both have as many elements along that axis: `of` is computed from `from` by operations
// that keep all sizes, or, for the batch, the first one.
bool has_size_of(const Draft& draft, TensorId of, TensorId from, std::int64_t axis) {
  constexpr std::array<std::string_view, 12> kKeepAll = {
      "Relu", "Sigmoid",  "Clip", "Dropout", "HardSwish", "LeakyRelu",
      "Tanh", "Identity", "Cast", "Elu",     "Softmax",   "BatchNormalization"};
  constexpr std::array<std::string_view, 4> kKeepBatch = {"Conv", "MaxPool", "AveragePool",
                                                          "GlobalAveragePool"};
  constexpr int kMaxSteps = 64;
  for (int step = 0; step < kMaxSteps && of != kNone; ++step) {
    if (of == from) return true;
    const NodeId maker = draft.maker(of);
    if (maker == kNone || draft.output(maker) != of) return false;
    const bool keeps =
        contains(kKeepAll, draft.op(maker)) || (axis == 0 && contains(kKeepBatch, draft.op(maker)));
    of = keeps ? draft.input(maker, 0) : kNone;
  }
  return false;
}

// Whether a list of one element is the size of `data` along an axis.
bool is_size_of(Draft& draft, TensorId list, TensorId data, std::int64_t axis) {
  NodeId node = draft.maker(list);
  if (draft.is_op(node, "Unsqueeze")) node = draft.maker(draft.input(node, 0));
  std::optional<Dims> place;
  if (draft.is_op(node, "Gather") && draft.int_of(node, "axis", 0) == 0) {
    place = draft.ints(draft.input(node, 1));
  } else if (draft.is_op(node, "Slice") && draft.input(node, 1) != kNone) {
    place = draft.ints(draft.input(node, 1));
    const auto end = draft.ints(draft.input(node, 2));
    if (!place || place->size() != 1 || end != Dims{place->front() + 1}) return false;
  }
  const NodeId shape = maker_of(draft, node, 0, "Shape");
  if (!place || *place != Dims{axis} || shape == kNone || draft.has_attribute(shape, "start")) {
    return false;
  }
  return has_size_of(draft, data, draft.input(shape, 0), axis);
}

// Sizes of which one at most is open: what follows from the number of elements is -1, what is
// copied from the data is 0.
std::optional<Dims> fixed_sizes(Draft& draft, TensorId sizes, TensorId data) {
  const NodeId joined = draft.maker(sizes);
  Dims fixed;
  const auto take = [&](std::int64_t size) {
    fixed.push_back(size == onnx::kUnknownElement ? -1 : size);
    return size == onnx::kUnknownElement || size == -1 || size > 0;
  };
  if (!draft.is_op(joined, "Concat")) {
    const auto& list = draft.tensor(sizes).list;
    if (!list || !std::ranges::all_of(*list, take)) return std::nullopt;
  } else {
    for (std::size_t place = 0; place < draft.input_count(joined); ++place) {
      const TensorId part = draft.input(joined, place);
      const auto known = draft.ints(part);
      const auto& list = draft.tensor(part).list;
      const auto axis = static_cast<std::int64_t>(fixed.size());
      if (known) {
        if (!std::ranges::all_of(*known, take)) return std::nullopt;
      } else if (is_size_of(draft, part, data, axis)) {
        fixed.push_back(0);
      } else if (!list || !std::ranges::all_of(*list, take)) {
        return std::nullopt;
      }
    }
  }
  if (std::ranges::count(fixed, -1) <= 1) return fixed;
  return std::nullopt;
}

// A computed list becomes a constant.
void fix_sizes(Work& work, NodeId node) {
  Draft& draft = work.draft;
  const TensorId sizes = draft.input(node, 1);
  if (sizes == kNone || draft.is_constant(sizes) || draft.int_of(node, "allowzero", 0) != 0) return;
  const auto found = fixed_sizes(draft, sizes, draft.input(node, 0));
  if (!found) return;
  const Dims& fixed = *found;
  work.tell(node);
  draft.set_input(node, 1, draft.add_ints(derived_name(draft, node, "shape"), fixed));
}

void join_reshapes(Work& work) {
  Draft& draft = work.draft;
  for (const NodeId node : draft.nodes()) {
    if (!is_reshaping(draft, node) || draft.output(node) == kNone) continue;
    if (draft.is_op(node, "Reshape")) fix_sizes(work, node);
    const TensorId input = draft.input(node, 0);
    const NodeId before = draft.maker(input);
    if (!is_reshaping(draft, before) || draft.sole_reader(input) != node) continue;
    // Before opset 5 the sizes were an attribute.
    const auto sizes = sizes_for(draft, node);
    if (!sizes) continue;
    work.tell(before);
    const TensorId shape = draft.add_ints(derived_name(draft, node, "shape"), *sizes);
    draft.replace(
        node,
        {.op = "Reshape", .name = {}, .inputs = {draft.input(before, 0), shape}, .attributes = {}});
  }
}

}  // namespace

const Pass passes::kReshapes{"reshapes", "reshaping nodes in a row become one Reshape",
                             Effect::kExact, join_reshapes};

}  // namespace planex::clean
