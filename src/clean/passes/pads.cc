// A Pad with zeros before a Conv, an AveragePool or a MaxPool is padding that these do themselves.
#include <algorithm>
#include <array>

#include "clean/passes.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

// More is damage, whose sum could overflow.
constexpr std::int64_t kMaxPadding = 1 << 30;

// Pads with zeros only spatial axes of a tensor of 3 dimensions or more: begins, then ends.
std::optional<Dims> zero_pads(Draft& draft, NodeId node) {
  if (draft.text_of(node, "mode", "constant") != "constant" || draft.has_attribute(node, "value")) {
    return std::nullopt;
  }
  if (draft.input(node, 2) != kNone && draft.scalar(draft.input(node, 2)) != 0) {
    return std::nullopt;
  }
  // With axes, from opset 18 on, it is written in other ways than exporters do.
  if (draft.input(node, 3) != kNone) return std::nullopt;
  const auto pads = draft.has_attribute(node, "pads") ? draft.ints_of(node, "pads")
                                                      : draft.ints(draft.input(node, 1));
  constexpr std::size_t kMin = 6;
  if (!pads || pads->size() < kMin || pads->size() % 2 != 0) return std::nullopt;
  const std::size_t rank = pads->size() / 2;
  for (std::size_t i = 0; i < pads->size(); ++i) {
    if ((*pads)[i] < 0 || (*pads)[i] > kMaxPadding || (i % rank < 2 && (*pads)[i] != 0))
      return std::nullopt;
  }
  Dims spatial;
  for (std::size_t i = 0; i < pads->size(); ++i) {
    if (i % rank >= 2) spatial.push_back((*pads)[i]);
  }
  return spatial;
}

// Nothing below 0 comes out of it, so that a zero is never the largest by itself.
bool is_never_negative(Draft& draft, NodeId node) {
  if (node == kNone) return false;
  constexpr std::array<std::string_view, 4> kOps = {"Relu", "Sigmoid", "HardSigmoid", "Softmax"};
  if (contains(kOps, draft.op(node))) return true;
  if (draft.op(node) != "Clip") return false;
  const auto least = draft.scalar(draft.input(node, 1));
  return least && *least >= 0;
}

bool is_plain(Draft& draft, NodeId node, std::size_t count) {
  if (draft.text_of(node, "auto_pad", "NOTSET") != "NOTSET") return false;
  const auto pads = draft.ints_of(node, "pads");
  if (!pads) return true;
  return pads->size() == count &&
         std::ranges::all_of(*pads, [](std::int64_t pad) { return pad <= kMaxPadding; });
}

bool takes(Draft& draft, NodeId pad, NodeId reader, const Dims& more) {
  if (!is_plain(draft, reader, more.size())) return false;
  const std::string_view op = draft.op(reader);
  if (op == "Conv") return true;
  const auto pads = draft.ints_of(reader, "pads");
  const bool is_unpadded =
      !pads || std::ranges::all_of(*pads, [](std::int64_t size) { return size == 0; });
  // Of a pool that rounds up, the last window may begin in zeros, but not in padding; and padding
  // has to be smaller than the window.
  const auto kernel = draft.ints_of(reader, "kernel_shape");
  if (!is_unpadded || draft.int_of(reader, "ceil_mode", 0) != 0 || !kernel ||
      2 * kernel->size() != more.size() || draft.has_attribute(reader, "dilations")) {
    return false;
  }
  for (std::size_t i = 0; i < more.size(); ++i) {
    if (more[i] >= (*kernel)[i % kernel->size()]) return false;
  }
  if (op == "AveragePool") return true;
  return op == "MaxPool" && draft.outputs(reader).size() == 1 &&
         is_never_negative(draft, draft.maker(draft.input(pad, 0)));
}

void fold_pads(Work& work) {
  Draft& draft = work.draft;
  for (const NodeId node : draft.nodes()) {
    if (!draft.is_op(node, "Pad") || is_beside_pairs(draft, node)) continue;
    const auto more = zero_pads(draft, node);
    if (!more) continue;
    const TensorId output = draft.output(node), input = draft.input(node, 0);
    bool is_told = false;
    const std::vector<Use> readers = draft.tensor(output).readers;
    for (const Use& use : readers) {
      if (use.place != 0 || !takes(draft, node, use.node, *more)) continue;
      Dims pads = draft.ints_of(use.node, "pads").value_or(Dims(more->size(), 0));
      for (std::size_t i = 0; i < pads.size(); ++i) pads[i] += (*more)[i];
      if (!is_told) work.tell(node);
      is_told = true;
      draft.set_attribute(use.node, {"pads", std::move(pads)});
      if (draft.is_op(use.node, "AveragePool")) {
        draft.set_attribute(use.node, {"count_include_pad", std::int64_t{1}});
      }
      draft.set_input(use.node, 0, input);
    }
  }
}

}  // namespace

const Pass passes::kPads{"pads", "a Pad with zeros becomes the padding of its reader",
                         Effect::kExact, fold_pads};

}  // namespace planex::clean
