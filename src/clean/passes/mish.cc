// x * Tanh(Softplus(x)).
#include "clean/passes.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

constexpr std::int64_t kOpsetOfMish = 18;

void join_mish(Work& work) {
  Draft& draft = work.draft;
  if (draft.opset() < kOpsetOfMish) return;
  for (const NodeId node : draft.nodes()) {
    if (!draft.is_op(node, "Mul") || is_beside_pairs(draft, node)) continue;
    for (const std::size_t place : {std::size_t{0}, std::size_t{1}}) {
      const NodeId softplus = maker_of(draft, maker_of(draft, node, place, "Tanh"), 0, "Softplus");
      if (softplus == kNone || draft.input(softplus, 0) != draft.input(node, 1 - place)) continue;
      work.tell(node);
      draft.replace(
          node, {.op = "Mish", .name = {}, .inputs = {draft.input(softplus, 0)}, .attributes = {}});
      break;
    }
  }
}

}  // namespace

const Pass passes::kMish{"mish", "Mish that is spelled out", Effect::kRounding, join_mish};

}  // namespace planex::clean
