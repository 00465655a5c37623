// GroupNormalization as PyTorch exports it: an InstanceNormalization of groups, with a factor and a
// shift per channel behind it.
#include <algorithm>

#include "clean/passes.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

// Before this version factor and shift were per group.
constexpr std::int64_t kOpsetOfGroupNorm = 21;

bool are_all(Draft& draft, TensorId constant, float value) {
  const auto values = draft.floats(constant, 1 << 16);
  return values && !values->empty() &&
         std::ranges::all_of(*values, [&](float one) { return one == value; });
}

// The values of a constant that broadcasts along the channels, the second of `rank` dimensions.
std::optional<std::vector<float>> by_channel(Draft& draft, NodeId node, std::string_view op,
                                             TensorId of, std::int64_t channels, std::size_t rank) {
  if (!draft.is_op(node, op) || is_beside_pairs(draft, node)) return std::nullopt;
  const auto operands = with_constant(draft, node);
  if (!operands || operands->computed != of) return std::nullopt;
  Dims wanted(rank, 1);
  wanted[1] = channels;
  Dims dims = *draft.constant_dims(operands->constant);
  if (dims.size() + 1 < rank || dims.size() > rank) return std::nullopt;
  dims.insert(dims.begin(), rank - dims.size(), 1);
  return dims == wanted ? draft.floats(operands->constant) : std::nullopt;
}

void join_group_norm(Work& work) {
  Draft& draft = work.draft;
  if (draft.opset() < kOpsetOfGroupNorm) return;
  for (const NodeId node : draft.nodes()) {
    if (!draft.is_op(node, "InstanceNormalization") || draft.input_count(node) != 3 ||
        !are_all(draft, draft.input(node, 1), 1) || !are_all(draft, draft.input(node, 2), 0)) {
      continue;
    }
    const NodeId before = maker_of(draft, node, 0, "Reshape");
    const NodeId after = reader_of(draft, draft.output(node), "Reshape");
    if (before == kNone || after == kNone) continue;
    const TensorId x = draft.input(before, 0), whole = draft.output(after);
    const auto& shape = draft.tensor(x).shape;
    const auto& grouped = draft.tensor(draft.input(node, 0)).shape;
    // The shape is that of before, and one open size is the batch, whose groups stay apart.
    if (!shape || shape->size() < 3 || draft.tensor(whole).shape != *shape || !grouped ||
        grouped->size() != 3 || std::ranges::count(*shape, -1) > 1 || contains(*shape, 0) ||
        (*grouped)[0] != (*shape)[0] || (*grouped)[1] < 1) {
      continue;
    }
    const std::int64_t channels = (*shape)[1], groups = (*grouped)[1];
    if (channels < 1 || channels % groups != 0) continue;
    const NodeId product = draft.sole_reader(whole);
    auto scale = by_channel(draft, product, "Mul", whole, channels, shape->size());
    if (!scale) continue;
    const TensorId scaled = draft.output(product);
    const NodeId sum = draft.sole_reader(scaled);
    auto shift = by_channel(draft, sum, "Add", scaled, channels, shape->size());
    const NodeId end = shift ? sum : product;
    if (!shift) shift = std::vector<float>(size_of(channels), 0.0F);
    work.tell(node);
    const float epsilon = draft.float_of(node, "epsilon", 1e-5F);
    const TensorId scales =
        add_floats(draft, derived_name(draft, node, "scale"), {channels}, *scale);
    const TensorId shifts =
        add_floats(draft, derived_name(draft, node, "shift"), {channels}, *shift);
    draft.replace(end, {.op = "GroupNormalization",
                        .name = {},
                        .inputs = {x, scales, shifts},
                        .attributes = {{"num_groups", groups}, {"epsilon", epsilon}}});
  }
}

}  // namespace

const Pass passes::kGroupNorm{"group-norm",
                              "GroupNormalization that is spelled out, from opset 21 on",
                              Effect::kRounding, join_group_norm};

}  // namespace planex::clean
