// DepthToSpace as PyTorch's pixel_shuffle and others export it: a Reshape to six dimensions, a
// Transpose, and a Reshape back to four.
#include "clean/layout.h"
#include "clean/passes.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

constexpr std::int64_t kOpsetOfMode = 11;

void join_depth_to_space(Work& work) {
  Draft& draft = work.draft;
  if (draft.opset() < kOpsetOfMode) return;
  for (const NodeId node : draft.nodes()) {
    if (!draft.is_op(node, "Reshape")) continue;
    const NodeId turn = maker_of(draft, node, 0, "Transpose");
    const NodeId split = turn == kNone ? kNone : maker_of(draft, turn, 0, "Reshape");
    if (split == kNone || draft.sole_reader(draft.output(turn)) != node ||
        draft.sole_reader(draft.output(split)) != turn || is_beside_pairs(draft, node) ||
        is_beside_pairs(draft, split)) {
      continue;
    }
    const TensorId x = draft.input(split, 0);
    const auto& from = draft.tensor(x).shape;
    const auto& six = draft.tensor(draft.output(split)).shape;
    const auto& to = draft.tensor(draft.output(node)).shape;
    constexpr std::size_t kPictures = 4, kBlocks = 6;
    if (!from || !six || !to || from->size() != kPictures || six->size() != kBlocks ||
        to->size() != kPictures) {
      continue;
    }
    const auto perm = perm_of(draft, turn);
    const bool is_columns = perm == Dims{0, 1, 4, 2, 5, 3};
    if (!is_columns && perm != Dims{0, 3, 4, 1, 5, 2}) continue;
    // [n, c, b, b, h, w], or [n, b, b, c, h, w].
    const Dims& s = *six;
    const std::int64_t block = s[is_columns ? 2 : 1], channels = s[is_columns ? 1 : 3];
    const std::int64_t height = s[4], width = s[5];
    // Of a damaged model products would overflow.
    constexpr std::int64_t kMost = 1 << 20;
    const bool fits = block > 1 && block < kMost && channels < kMost && height < kMost &&
                      width < kMost && s[is_columns ? 3 : 2] == block && channels > 0 &&
                      height > 0 && width > 0 &&
                      *from == Dims{s[0], channels * block * block, height, width} &&
                      *to == Dims{s[0], channels, height * block, width * block};
    if (!fits) continue;
    work.tell(turn);
    draft.replace(node, {.op = "DepthToSpace",
                         .name = {},
                         .inputs = {x},
                         .attributes = {{"blocksize", block},
                                        {"mode", std::string(is_columns ? "CRD" : "DCR")}}});
  }
}

}  // namespace

const Pass passes::kDepthToSpace{"depth-to-space", "DepthToSpace that is spelled out",
                                 Effect::kExact, join_depth_to_space};

}  // namespace planex::clean
