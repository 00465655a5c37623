// A reduction that drops its axes before a node that adds them again, or keeps them before one that
// drops them: the reduction can do either itself.
#include <algorithm>

#include "clean/evaluate.h"
#include "clean/passes.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

// The shape that the reduction would make in the other form.
std::optional<Dims> other_shape(Draft& draft, NodeId node, bool keeps) {
  const auto& from = draft.tensor(draft.input(node, 0)).shape;
  const auto axes = reduced_axes(draft, node);
  if (!from || !axes) return std::nullopt;
  Dims made;
  for (std::size_t i = 0; i < from->size(); ++i) {
    if (!contains(*axes, static_cast<std::int64_t>(i))) {
      made.push_back((*from)[i]);
    } else if (!keeps) {
      made.push_back(1);
    }
  }
  return made;
}

// One unknown size follows from the number of elements.
bool is_shape_of(const Draft& draft, TensorId tensor, const Dims& dims) {
  return draft.tensor(tensor).shape == dims && std::ranges::count(dims, -1) <= 1 &&
         !contains(dims, 0);
}

void join_reductions(Work& work) {
  Draft& draft = work.draft;
  for (const NodeId node : draft.nodes()) {
    if (!draft.is_live(node) || !draft.op(node).starts_with("Reduce")) continue;
    const bool keeps = draft.int_of(node, "keepdims", 1) != 0;
    const NodeId reader = draft.sole_reader(draft.output(node));
    if (!draft.is_live(reader) || is_beside_pairs(draft, node) || is_beside_pairs(draft, reader)) {
      continue;
    }
    const std::string_view op = draft.op(reader);
    const bool reshapes = op == "Reshape" || op == (keeps ? "Squeeze" : "Unsqueeze");
    const auto shape = reshapes ? other_shape(draft, node, keeps) : std::nullopt;
    const TensorId output = draft.output(reader);
    if (!shape || !is_shape_of(draft, output, *shape)) continue;
    work.tell(reader);
    draft.remove(reader);
    draft.set_attribute(node, {"keepdims", std::int64_t{keeps ? 0 : 1}});
    draft.set_output(node, 0, output);
  }
}

}  // namespace

const Pass passes::kReductions{"reductions", "a reduction keeps or drops its axes itself",
                               Effect::kExact, join_reductions};

}  // namespace planex::clean
