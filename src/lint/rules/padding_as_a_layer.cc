#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::padding_as_a_layer_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "padding-as-a-layer",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary = "a layer only pads a tensor",
    .rationale =
        "It copies the whole tensor to put a border around it, although convolutions and pooling "
        "pad while they read. Models from Keras have it: ZeroPadding2D before a layer with "
        "'valid' padding",
    .fix =
        "Fold the Pad into the next layer (its attribute pads). Between a ReLU and a max pooling "
        "that is exact, as no value is below zero",
    .needs = kNeeds,
    .source =
        "ResNet-50 of Keras in TensorRT 8.4 (engines of the test data); ONNX operators Conv and "
        "MaxPool, attribute pads",
    .evidence = "types, shapes and layouts on both sides, the layer's time and who reads it",
    .estimate = "the layer's measured time: padding inside the next layer is nearly free"};

bool pads(std::span<const std::int64_t> in, std::span<const std::int64_t> out) {
  if (in.size() != out.size() || in.empty()) return false;
  bool grows = false;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i] <= 0 || out[i] < in[i]) return false;
    grows = grows || out[i] > in[i];
  }
  return grows;
}

bool is_candidate(const Context& context, LayerId layer) {
  // TensorRT writes a Pad as a Slice that begins before the tensor does.
  for (const std::string_view type : {"Slice", "Padding", "Pad"}) {
    if (context.type(layer) == type) return true;
  }
  return false;
}

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer)) continue;
    if (context.is_matrix_layer(layer) || context.family(layer) == Family::kPool) sink.looked_at();
    if (!is_candidate(context, layer)) continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    const auto& [in, out] = *ends;
    if (!pads(context.dims_of(in[0]), context.dims_of(out[0]))) continue;
    const Walk readers = context.real_readers(context.tensor_of(out[0]));
    const std::string reader = names_or(context, readers, "the engine's output");
    FindingDraft draft;
    draft.layer = layer;
    draft.message = format("padding runs as a layer, {} → {}", dims_text(context.dims_of(in[0])),
                           dims_text(context.dims_of(out[0])));
    draft.evidence = format("{} → {}, {}; read by {}", context.port_text(in[0]),
                            context.port_text(out[0]), time_text(context, layer), reader);
    draft.savings = {{layer}};
    draft.estimate_method =
        "measured time of the layer: padding inside the next layer is nearly free";
    const bool can_pad = !readers.reaches.empty() &&
                         (context.is_matrix_layer(readers.reaches.front().layer) ||
                          context.family(readers.reaches.front().layer) == Family::kPool);
    draft.fix = format("Give the border to {} as its own pads, and drop the Pad from the model",
                       can_pad ? reader : "the convolution or pooling behind it");
    sink.add(std::move(draft));
  }
}

}  // namespace
}  // namespace planex::lint::padding_as_a_layer_rule

PLANEX_LINT_RULE(padding_as_a_layer)
