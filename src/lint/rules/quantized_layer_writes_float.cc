#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"

namespace planex::lint::quantized_layer_writes_float_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "quantized-layer-writes-float",
    .pack = Pack::kOpenVino,
    .severity = Severity::kWarning,
    .summary =
        "a convolution or matrix product reads a quantized type and writes a float one, "
        "although what follows is quantized again",
    .rationale =
        "OpenVINO's CPU engine runs additions, activations and quantization inside the convolution "
        "before them if both inputs of the addition are quantized. Otherwise they are a separate "
        "layer (a Subgraph), which reads floats that had to be written first",
    .fix = "Put Q/DQ on both inputs of the addition, and before pooling rather than after it",
    .needs = kNeeds,
    .source =
        "Measured with OpenVINO 2026.4 on ResNet-18: Q/DQ on both inputs of every addition reduces "
        "35 layers to 27 and the bytes written from 11.3 to 3.0 MB",
    .evidence = "types and shapes of input and output, and the layers after it that quantize again",
    .estimate =
        "measured times of the conversions, and of the layers that quantize again less what the "
        "fastest quantizer takes for as many elements; for the layer itself, its time beyond that "
        "of others with the same work or, if it is memory-bound, what its bytes shrink by",
    .depth = 1,
    .command = kAdviseCommand};

// What the addition and quantization of a layer cost if the convolution before it does them: no
// traffic of their own, but the work on each element.
std::optional<double> fused_cost_ms(const Context& context, LayerId reader) {
  const auto per_element = context.speeds().quantizing_ms_per_element();
  const auto out = context.outputs(reader);
  if (!per_element || out.empty()) return std::nullopt;
  const auto bytes = port_bytes(context, out[0]);
  const auto bits = model::bits_per_element(context.type_of(out[0]));
  if (!bytes || !bits) return std::nullopt;
  constexpr double kBitsPerByte = 8;
  return *per_element * *bytes * kBitsPerByte / *bits;
}

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
  bool any_rate = false;
  for (const LayerId reader : output.quantizing_readers) {
    const auto cost = fused_cost_ms(context, reader);
    const auto time = context.time_ms(reader);
    any_rate = any_rate || cost.has_value();
    const double part = cost && time && *time > 0 ? 1 - *cost / *time : 1;
    if (part > 0) draft.savings.push_back({reader, part});
  }
  if (output.is_requantized) {
    std::vector<PortRow> ports = output.residuals;
    ports.push_back(output.port);
    const int bits = model::bits_per_element(context.type_of(in[0])).value_or(8);
    add_own_saving(context, layer, ports, bits, draft);
    add_pool_savings(context, output, bits, draft);
  }
  draft.estimate_method =
      draft.savings.empty()
          ? "not known: the fix alone removes no layer, and the layer's own saving is unknown"
          : format("measured times of the layers that disappear or move into the convolution{}; {}",
                   any_rate ? ", less what the fastest quantizer of the engine takes for as many "
                              "elements"
                            : "",
                   kOwnSavingMethod);
  draft.fix = placement_fix(context, layer, output);
  if (!context.is_calibrated()) draft.quantized_tensors = tensors_to_quantize(context, output);
  draft.also_about = output.pools;
  // The other side of an addition is quantized with it: a layer that writes it in float is a
  // symptom.
  for (const PortRow port : output.other_sides) {
    for (const Reach& writer : context.real_writers(context.tensor_of(port)).reaches) {
      append_unique(draft.also_about, std::span(&writer.layer, 1));
    }
  }
  sink.add(std::move(draft));
}

// The fix only changes the type of a pooling whose tensor the caches hold anyway.
bool is_small_pooling(const Context& context, const FloatOutput& output) {
  return !output.pools.empty() && output.residuals.empty() && output.other_sides.empty() &&
         output.quantizing_readers.empty() && stays_in_caches(context, output.port);
}

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || !context.is_matrix_layer(layer)) continue;
    if (!typed_ends(context, layer, sink)) continue;
    for (const FloatOutput& output : float_outputs(context, layer)) {
      if (output.is_requantized && !is_small_pooling(context, output))
        judge(context, layer, output, sink);
    }
  }
}

}  // namespace
}  // namespace planex::lint::quantized_layer_writes_float_rule

PLANEX_LINT_RULE(quantized_layer_writes_float)
