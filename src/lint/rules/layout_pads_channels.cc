#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::layout_pads_channels_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims, Need::kLinks, Need::kTimes};

constexpr RuleInfo kInfo = {
    .id = "layout-pads-channels",
    .pack = Pack::kTensorRt,
    .severity = Severity::kInfo,
    .summary =
        "a quantized layer inside the network writes channels that fill at most half of the "
        "vectors of their layout, and takes 5 % of the layer time",
    .rationale =
        "NC/32HW32 stores channels in groups of 32: 16 channels take the space of 32, and every "
        "layer that writes or reads the tensor moves the padding and computes on it. Twice the "
        "channels would then cost nothing. The channels of the network's input and output are "
        "fixed, so the rule is silent there",
    .fix =
        "When you change the model, use channel counts that fill the vectors: wider layers in the "
        "same time, or fewer of them",
    .needs = kNeeds,
    .source = "NVIDIA TensorRT Developer Guide, Data Format Descriptions",
    .evidence =
        "channels, the size with and without padding, and the time of the layer that writes "
        "it",
    .estimate = "none: the time stays the same, the model may improve"};

constexpr double kMinBytes = 65536;  // smaller tensors don't matter
// Maximum ratio of stored to real channels: more, such as three colors in 32, was not a choice.
constexpr std::int64_t kMaxPadding = 4;
// Share of the layer time: less is not worth changing a model.
constexpr double kWorthAnotherModel = 0.05;

void run(const Context& context, FindingSink& sink) {
  const auto& layouts = context.model().ports.layout;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || context.family(layer) != Family::kConvolution) continue;
    if (const auto time = context.time_ms(layer);
        !time || *time < kWorthAnotherModel * context.total_ms().value_or(0)) {
      continue;
    }
    for (const PortRow port : context.outputs(layer)) {
      const auto dims = context.dims_of(port);
      const std::int64_t vector = layouts[port].channel_vector;
      const auto bytes = port_bytes(context, port);
      if (layouts[port].order == model::Order::kNull || dims.size() < 3 || dims[1] <= 0 || !bytes) {
        continue;
      }
      sink.looked_at();
      const std::int64_t padded = (dims[1] + vector - 1) / vector * vector;
      if (padded < 2 * dims[1] || padded > kMaxPadding * dims[1] || *bytes < kMinBytes) continue;
      if (!model::is_quantized(context.type_of(port)) || is_last_product(context, layer)) continue;
      const double factor = static_cast<double>(padded) / static_cast<double>(dims[1]);
      FindingDraft draft;
      draft.layer = layer;
      draft.severity = Severity::kInfo;
      draft.message = format("{} channels are stored as {} in {}", dims[1], padded,
                             model::to_string(layouts[port]));
      draft.evidence = format("{} takes {} instead of {}, {:.3g} times as much; {}",
                              context.port_text(port), bytes_text(*bytes * factor),
                              bytes_text(*bytes), factor, time_text(context, layer));
      draft.estimate_method = "none: the time stays the same, the model may improve";
      draft.fix = format("When you retrain: {} channels of {} would cost the same as its {}",
                         padded, context.name(context.tensor_of(port)), dims[1]);
      sink.add(std::move(draft));
    }
  }
}

}  // namespace
}  // namespace planex::lint::layout_pads_channels_rule

PLANEX_LINT_RULE(layout_pads_channels)
