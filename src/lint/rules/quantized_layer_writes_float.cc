#include <array>

#include "base/text.h"
#include "lint/quantization.h"

namespace planex::lint {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes};

constexpr RuleInfo kInfo = {
    .id = "quantized-layer-writes-float",
    .pack = Pack::kOpenVino,
    .severity = Severity::kWarning,
    .summary =
        "a convolution or matrix product reads a quantized type and writes a float one, "
        "although what follows is quantized again",
    .rationale =
        "OpenVINO's CPU engine runs additions, activations and quantization inside the "
        "convolution before them when both inputs of the addition are quantized. Otherwise they "
        "are a layer of their own (a Subgraph), which reads floats that had to be written first",
    .fix = "Put Q/DQ on both inputs of the addition, and before pooling rather than after it",
    .needs = kNeeds,
    .source =
        "Measured with OpenVINO 2026.4 on ResNet-18: Q/DQ on both inputs of every addition "
        "takes 35 layers to 27 and the bytes written from 11.3 to 3.0 MB",
    .evidence =
        "types and shapes of input and output, and the layers that quantize again behind "
        "it",
    .estimate = "measured times of the conversions, and of the layers that quantize again"};

void judge(const Context& context, LayerId layer, const FloatOutput& output, FindingSink& sink) {
  const auto in = context.inputs(layer);
  FindingDraft draft;
  draft.layer = layer;
  draft.message = format("{} reads {} and writes {} before a quantized layer{}",
                         context.type(layer), model::to_string(context.type_of(in[0])),
                         model::to_string(context.type_of(output.port)), cause(context, output));
  draft.evidence = format("{} → {}, {}{}", context.port_text(in[0]), context.port_text(output.port),
                          time_text(context, layer), consequences(context, output));
  for (const LayerId conversion : output.conversions) draft.savings.push_back({conversion});
  for (const LayerId reader : output.quantizing_readers) draft.savings.push_back({reader});
  draft.estimate_method =
      draft.savings.empty()
          ? "not known: no layer goes by itself, its readers save bytes"
          : "measured times of the layers that go or run inside the convolution then; an upper "
            "bound, as the convolution does their work";
  draft.fix = placement_fix(context, layer, output);
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || !context.is_matrix_layer(layer)) continue;
    if (!typed_ends(context, layer, sink)) continue;
    for (const FloatOutput& output : float_outputs(context, layer)) {
      if (output.is_requantized) judge(context, layer, output, sink);
    }
  }
}

}  // namespace
}  // namespace planex::lint

PLANEX_LINT_RULE(quantized_layer_writes_float)
