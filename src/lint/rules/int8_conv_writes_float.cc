#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"

namespace planex::lint::int8_conv_writes_float_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "int8-conv-writes-float",
    .pack = Pack::kTensorRt,
    .severity = Severity::kWarning,
    .summary = "a convolution reads a quantized type and writes a float one",
    .rationale =
        "It moves two to four times the bytes it could, and a reformat has to quantize the tensor "
        "again for the next layer. The usual reason is a skip path without Q/DQ: an addition whose "
        "residual input is float makes the whole convolution write float. The rule is silent for a "
        "head of the network, which writes what its caller reads, and for TensorRT-RTX, whose INT8 "
        "convolutions only have kernels that write float",
    .fix =
        "Put a Q/DQ pair on the residual input of the addition (best shared with the one that the "
        "next convolution reads), before pooling rather than after it, and otherwise right after "
        "the convolution",
    .needs = kNeeds,
    .source =
        "NVIDIA TREx, mixed precision linter, and its ResNet-18 tutorial (Q/DQ on residuals, "
        "then before global average pooling)",
    .evidence =
        "types, shapes and layouts of input and output, the residual input, and the "
        "conversions that follow",
    .estimate =
        "measured times of the conversions between it and the next quantized layers; for the "
        "convolution itself, its time beyond that of others with the same work that write the "
        "quantized type or, if it is memory-bound, what its bytes shrink by",
    .depth = 1,
    .command = kAdviseCommand};

void judge(const Context& context, LayerId layer, const FloatOutput& output, FindingSink& sink) {
  const auto in = context.inputs(layer);
  FindingDraft draft;
  draft.layer = layer;
  draft.message =
      format("convolution reads {} and writes {}{}", model::to_string(context.type_of(in[0])),
             model::to_string(context.type_of(output.port)), cause(context, output));
  draft.evidence = format("{} → {}, {}{}", context.port_text(in[0]), context.port_text(output.port),
                          time_text(context, layer), consequences(context, output));
  for (const LayerId conversion : output.conversions) draft.savings.push_back({conversion});
  std::vector<PortRow> ports = output.residuals;
  ports.push_back(output.port);
  const int bits = model::bits_per_element(context.type_of(in[0])).value_or(8);
  add_own_saving(context, layer, ports, bits, draft);
  add_pool_savings(context, output, bits, draft);
  draft.estimate_method =
      draft.savings.empty()
          ? "not known: the fix alone removes no conversion, and the layer's own saving is unknown"
          : format("measured times of the conversions up to the next quantized layers; {}",
                   kOwnSavingMethod);
  draft.fix = placement_fix(context, layer, output);
  if (!context.is_calibrated()) draft.quantized_tensors = tensors_to_quantize(context, output);
  // The layer's kernel is one of those that write float.
  draft.also_about = output.pools;
  draft.also_about.push_back(layer);
  sink.add(std::move(draft));
}

// Its only reader could be fused into this layer: pointwise-not-fused reports that, and comes
// first.
bool waits_for_fusion(const Context& context, const FloatOutput& output) {
  if (output.is_requantized || !output.residuals.empty() || output.float_readers.size() != 1) {
    return false;
  }
  const LayerId reader = output.float_readers.front().layer;
  return context.family(reader) == Family::kPointwise || context.type(reader) == "Scale";
}

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || context.family(layer) != Family::kConvolution) continue;
    if (!typed_ends(context, layer, sink)) continue;
    // All INT8 convolutions of the engine write float: nothing in the model changes that.
    if (context.engine_rule(engines::Condition::kWrittenType) != nullptr) continue;
    for (const FloatOutput& output : float_outputs(context, layer)) {
      // A head writes what the caller, or the postprocessing, reads: nothing to fix.
      if (output.is_head || (!output.is_requantized && is_last_product(context, layer)) ||
          waits_for_fusion(context, output)) {
        continue;
      }
      judge(context, layer, output, sink);
    }
  }
}

}  // namespace
}  // namespace planex::lint::int8_conv_writes_float_rule

PLANEX_LINT_RULE(int8_conv_writes_float)
