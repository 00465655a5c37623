#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::layout_pads_channels_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims};

constexpr RuleInfo kInfo = {
    .id = "layout-pads-channels",
    .pack = Pack::kTensorRt,
    .severity = Severity::kWarning,
    .summary =
        "a tensor takes twice its size or more, because its layout keeps channels in vectors that "
        "they do not fill",
    .rationale =
        "NC/32HW32 stores channels by 32: 16 of them take the room of 32, three colours that of "
        "32 as well. Every layer that writes or reads the tensor moves the padding too, and "
        "kernels compute on it",
    .fix =
        "Give such layers channels that fill the vectors, or keep them in a type whose layout has "
        "shorter vectors (FP16: 8 channels; INT8 NC/4HW4: 4)",
    .needs = kNeeds,
    .source = "NVIDIA TensorRT Developer Guide, Data Format Descriptions",
    .evidence =
        "channels, the size with and without padding, and the time of the layer that writes "
        "it",
    .estimate = "not known: it depends on the kernels for another layout or type"};

constexpr double kLeastBytes = 65536;  // smaller tensors don't matter

void run(const Context& context, FindingSink& sink) {
  const auto& layouts = context.model().ports.layout;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer)) continue;
    for (const PortRow port : context.outputs(layer)) {
      const auto dims = context.dims_of(port);
      const std::int64_t vector = layouts[port].channel_vector;
      const auto bytes = port_bytes(context, port);
      if (layouts[port].order == model::Order::kNull || dims.size() < 3 || dims[1] <= 0 || !bytes) {
        continue;
      }
      sink.looked_at();
      const std::int64_t padded = (dims[1] + vector - 1) / vector * vector;
      if (padded < 2 * dims[1] || *bytes < kLeastBytes) continue;
      const double factor = static_cast<double>(padded) / static_cast<double>(dims[1]);
      const Walk writers = context.is_conversion(layer)
                               ? context.real_writers(context.tensor_of(port))
                               : Walk{.reaches = {}, .ends_at_engine_edge = false};
      const bool at_input = context.is_conversion(layer) && writers.reaches.empty();
      FindingDraft draft;
      draft.layer = layer;
      draft.severity = at_input ? Severity::kInfo : Severity::kWarning;
      draft.message =
          format("{} channels are stored as {} in {}{}", dims[1], padded,
                 model::to_string(layouts[port]), at_input ? "; it is the engine's input" : "");
      draft.evidence = format("{} takes {} instead of {}, {:.3g} times; {}",
                              context.port_text(port), bytes_text(*bytes * factor),
                              bytes_text(*bytes), factor, time_text(context, layer));
      draft.estimate_method = "not known: it depends on the kernels for another layout or type";
      const std::string reader =
          names_or(context, context.real_readers(context.tensor_of(port)), "its readers");
      draft.fix =
          at_input
              ? format("Nothing in most models; {} in FP16 reads vectors of 4 or 8 channels",
                       reader)
              : format(
                    "Give {} {} channels in the model if they are cheap, or let {} run in FP16, "
                    "whose vectors are of 8 channels",
                    context.name(context.tensor_of(port)), padded, reader);
      sink.add(std::move(draft));
    }
  }
}

}  // namespace
}  // namespace planex::lint::layout_pads_channels_rule

PLANEX_LINT_RULE(layout_pads_channels)
