// Min and Max with numbers, and Relu beside them, are one Clip; Max with 0 is a Relu.
#include <algorithm>
#include <cmath>
#include <limits>

#include "clean/passes.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

constexpr std::int64_t kOpsetOfInputs = 11;

struct Limits {
  TensorId of = kNone;
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

// Of one node: what it limits, to what.
std::optional<Limits> limits_of(Draft& draft, NodeId node) {
  if (!draft.is_live(node)) return std::nullopt;
  const std::string_view op = draft.op(node);
  Limits limits;
  if (op == "Relu") {
    limits.of = draft.input(node, 0);
    limits.least = 0;
  } else if (op == "Clip") {
    if (draft.has_attribute(node, "min") || draft.has_attribute(node, "max")) return std::nullopt;
    limits.of = draft.input(node, 0);
    for (const std::size_t place : {std::size_t{1}, std::size_t{2}}) {
      if (draft.input(node, place) == kNone) continue;
      const auto value = draft.scalar(draft.input(node, place));
      if (!value) return std::nullopt;
      (place == 1 ? limits.least : limits.most) = *value;
    }
  } else if (const auto most = scalar_beside(draft, node, "Min")) {
    limits.of = most->first;
    limits.most = most->second;
  } else if (const auto least = scalar_beside(draft, node, "Max")) {
    limits.of = least->first;
    limits.least = least->second;
  } else {
    return std::nullopt;
  }
  const bool is_number = !std::isnan(limits.least) && !std::isnan(limits.most);
  return is_number && limits.least <= limits.most ? std::optional(limits) : std::nullopt;
}

NodeDraft clip_of(Draft& draft, NodeId node, const Limits& limits) {
  if (limits.least == 0 && std::isinf(limits.most)) {
    return {.op = "Relu", .name = {}, .inputs = {limits.of}, .attributes = {}};
  }
  NodeDraft clip{.op = "Clip", .name = {}, .inputs = {limits.of}, .attributes = {}};
  const auto number = [&](std::string_view what, double value) {
    return add_floats(draft, derived_name(draft, node, what), {}, {static_cast<float>(value)});
  };
  clip.inputs.push_back(std::isinf(limits.least) ? kNone : number("min", limits.least));
  if (!std::isinf(limits.most)) clip.inputs.push_back(number("max", limits.most));
  return clip;
}

void join_clips(Work& work) {
  Draft& draft = work.draft;
  if (draft.opset() < kOpsetOfInputs) return;
  for (const NodeId node : draft.nodes()) {
    auto limits = limits_of(draft, node);
    if (!limits || !draft.is_type(draft.output(node), onnx::DataType::kFloat)) continue;
    const NodeId before = draft.maker(limits->of);
    const bool is_alone = draft.sole_reader(limits->of) == node;
    const auto inner =
        is_alone && !is_beside_pairs(draft, before) ? limits_of(draft, before) : std::nullopt;
    if (inner && !is_beside_pairs(draft, node)) {
      // The outer limits win where the ranges don't meet.
      const Limits joined{inner->of, std::clamp(inner->least, limits->least, limits->most),
                          std::clamp(inner->most, limits->least, limits->most)};
      work.tell(before);
      draft.replace(node, clip_of(draft, node, joined));
    } else if (draft.is_op(node, "Max") && limits->least == 0 && !is_beside_pairs(draft, node)) {
      work.tell(node);
      draft.replace(node, clip_of(draft, node, *limits));
    }
  }
}

}  // namespace

const Pass passes::kClips{"clips", "Min, Max and Relu in a row become one Clip", Effect::kExact,
                          join_clips};

}  // namespace planex::clean
