#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::convolutions_share_input_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "convolutions-share-input",
    .pack = Pack::kGeneric,
    .severity = Severity::kInfo,
    .summary =
        "two or more convolutions of the same kernel, with 16 output channels or fewer each, read "
        "the same tensor",
    .rationale =
        "Each reads the whole tensor and fills a small part of the device: a few output channels "
        "take nearly as long as 32 or 64. One convolution with the weights side by side reads the "
        "tensor once. Heads of detectors have them: class, box and score from one tensor. Readers "
        "of which one takes only a part of the tensor (what TensorRT's merged convolutions write "
        "is "
        "one tensor, too) are left alone: they share nothing. TensorRT merges many of them by "
        "itself; where it did not, it may have found the single ones faster",
    .fix =
        "Merge them in the model: one Conv with concatenated weights, then a Split; the results "
        "stay "
        "the same",
    .needs = kNeeds,
    .source =
        "NVIDIA Deep Learning Performance Guide, Convolutional Layers: output channels fill tiles "
        "of "
        "32 and more",
    .evidence = "the convolutions with their times, and their shapes",
    .estimate = "not known: no pair of engines shows the gain",
    .is_unproven = true};

constexpr std::int64_t kMaxChannels = 16;
constexpr std::size_t kMaxReaders = 64;  // real tensors have a few

struct SmallConvolution {
  LayerId layer;
  PortRow in = 0, out = 0;
};

std::vector<SmallConvolution> readers_of(const Context& context, TensorId tensor) {
  std::vector<SmallConvolution> list;
  for (const PortRow port : context.readers(tensor)) {
    const LayerId layer = context.layer_of(port);
    if (!context.works(layer) || context.family(layer) != Family::kConvolution) continue;
    if (!reads_whole(context, port)) continue;
    const auto in = context.inputs(layer), out = context.outputs(layer);
    // With a residual, or fused with more, it is a layer of another kind.
    if (in.size() != 1 || out.size() != 1) continue;
    const auto dims = context.dims_of(out[0]);
    if (dims.size() < 3 || dims[1] <= 0 || dims[1] > kMaxChannels) continue;
    list.push_back({layer, port, out[0]});
    if (list.size() == kMaxReaders) break;
  }
  return list;
}

bool same_kernel(const Context& context, const SmallConvolution& a, const SmallConvolution& b) {
  const auto from = context.dims_of(a.out), to = context.dims_of(b.out);
  if (from.size() != to.size() || context.type_of(a.out) != context.type_of(b.out)) return false;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (i != 1 && from[i] != to[i]) return false;
  }
  for (const std::string_view key : {"Kernel", "Stride", "Dilation", "Groups", "PrePadding"}) {
    if (context.model().attribute(a.layer, key) != context.model().attribute(b.layer, key)) {
      return false;
    }
  }
  return true;
}

void report(const Context& context, TensorId tensor, std::vector<SmallConvolution> group,
            FindingSink& sink) {
  std::ranges::stable_sort(group, std::ranges::greater{}, [&](const SmallConvolution& one) {
    return context.time_ms(one.layer).value_or(0);
  });
  std::vector<std::string> names;
  std::int64_t channels = 0;
  FindingDraft draft;
  draft.layer = group.front().layer;
  draft.severity = Severity::kInfo;
  for (const SmallConvolution& one : group) {
    names.push_back(format("{} {}", context.name(one.layer), time_text(context, one.layer)));
    channels += context.dims_of(one.out)[1];
    draft.also_about.push_back(one.layer);
  }
  draft.message = format("{} convolutions of {} output channels together read {}", group.size(),
                         channels, context.name(tensor));
  draft.evidence = format("{}; each reads {}", listed(names, 4), context.port_text(group[0].in));
  draft.estimate_method =
      "not proven: so few channels mostly take no longer together, but no pair of engines at hand "
      "shows it; build both and compare";
  draft.fix = format(
      "Merge them in the model: one Conv of {} output channels with the weights side by side, and "
      "a Split behind it",
      channels);
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.model().tensors.row_count(); ++row) {
    std::vector<SmallConvolution> list = readers_of(context, TensorId(row));
    if (!list.empty()) sink.looked_at();
    while (list.size() > 1) {
      const SmallConvolution first = list.front();
      const auto others = std::stable_partition(
          list.begin(), list.end(),
          [&](const SmallConvolution& one) { return same_kernel(context, first, one); });
      std::vector<SmallConvolution> group(list.begin(), others);
      list.erase(list.begin(), others);
      if (group.size() > 1) report(context, TensorId(row), std::move(group), sink);
    }
  }
}

}  // namespace
}  // namespace planex::lint::convolutions_share_input_rule

PLANEX_LINT_RULE(convolutions_share_input)
