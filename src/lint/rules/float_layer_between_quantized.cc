#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"

namespace planex::lint::float_layer_between_quantized_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "float-layer-between-quantized",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary =
        "a pooling, resize or other layer without weights runs in float between quantized layers, "
        "and its result is quantized only afterwards",
    .rationale =
        "It reads and writes two to four times the bytes it could, the layer before it has to "
        "write float, and the quantizer after it can't be fused into any convolution. On a CPU "
        "this matters only if the tensor is larger than the caches: below 4 MB in float the rule "
        "is silent there, because INT8 pooling can even take longer. ONNX Runtime runs max "
        "pooling, resizes and transposes quantized between pairs with the same scale and zero "
        "point, and in float between other pairs",
    .fix =
        "Put a Q/DQ pair before the layer. After max pooling, a resize or a shuffle, drop the "
        "existing pair, because the scale stays valid; after an average, keep it. For ONNX "
        "Runtime, give the pairs before and after it the same scale and zero point",
    .needs = kNeeds,
    .source =
        "Measured with OpenVINO 2026.4: on ResNet-18, pooling takes 687 instead of 1696 µs at "
        "batch 8; two convolutions and the pooling between them take 8 to 23 % less with 6 MB and "
        "more in float, the same with 3 MB, and 24 % more with 0.2 MB; NVIDIA TREx's ResNet-18 "
        "tutorial (Q/DQ before global average pooling)",
    .evidence = "types and shapes of the layer, and the quantized layers before and after it",
    .estimate =
        "measured times of the conversions after it and, if it is memory-bound, the share of its "
        "own time by which its bytes shrink",
    .depth = 3,
    .command = kAdviseCommand};

bool reads_quantized(const Context& context, LayerId layer) {
  const auto in = context.inputs(layer);
  return !in.empty() && model::is_quantized(context.type_of(in[0]));
}

// The layer that writes the tensor is quantized or, if it is an addition, one of the layers that it
// adds.
bool comes_from_quantized(const Context& context, TensorId tensor) {
  for (const Reach& writer : context.real_writers(tensor).reaches) {
    if (reads_quantized(context, writer.layer)) return true;
    if (context.is_matrix_layer(writer.layer)) continue;
    for (const PortRow port : context.inputs(writer.layer)) {
      for (const Reach& next : context.real_writers(context.tensor_of(port)).reaches) {
        if (reads_quantized(context, next.layer)) return true;
      }
    }
  }
  return false;
}

// The layer reads what a dequantizer wrote: it has a Q/DQ pair on either side.
bool is_dequantized(const Context& context, PortRow in) {
  const Walk walk = context.real_writers(context.tensor_of(in));
  return walk.reaches.size() == 1 &&
         std::ranges::any_of(walk.reaches[0].conversions, [&](LayerId conversion) {
           const auto from = context.inputs(conversion);
           return !from.empty() && model::is_quantized(context.type_of(from[0]));
         });
}

// ONNX Runtime runs these on quantized values only between pairs with one scale.
bool moves_quantized(const Context& context, LayerId layer) {
  constexpr std::array<std::string_view, 3> kKinds = {"MaxPool", "Transpose", "Resize"};
  return std::ranges::find(kKinds, context.type(layer)) != kKinds.end();
}

void judge(const Context& context, LayerId layer, PortRow in, PortRow out, FindingSink& sink) {
  const Walk walk = context.real_readers(context.tensor_of(out));
  std::vector<LayerId> conversions;
  std::vector<std::string> quantized_readers, float_readers;
  DType small = DType::kNull;
  for (const Reach& reach : walk.reaches) {
    if (model::is_quantized(context.type_of(reach.port))) {
      small = context.type_of(reach.port);
      append_unique(conversions, reach.conversions);
      quantized_readers.push_back(context.name(reach.layer));
    } else {
      float_readers.push_back(context.name(reach.layer));
    }
  }
  if (quantized_readers.empty() || !comes_from_quantized(context, context.tensor_of(in))) return;
  const bool is_onnxruntime = producer_of(context) == Producer::kOnnxRuntime;
  if (is_onnxruntime && !moves_quantized(context, layer)) return;
  const int bits = model::bits_per_element(small).value_or(8);
  const std::string input = context.name(context.tensor_of(in));
  FindingDraft draft;
  draft.layer = layer;
  draft.message = format("{} runs in {} between quantized layers", context.type(layer),
                         model::to_string(context.type_of(in)));
  draft.evidence =
      format("{} → {}, {}; read as {} by {}; conversions: {}", context.port_text(in),
             context.port_text(out), time_text(context, layer), model::to_string(small),
             listed(quantized_readers, 2), listed_with_times(context, conversions));
  for (const LayerId conversion : conversions) draft.savings.push_back({conversion});
  const std::array ports = {in, out};
  add_traffic_saving(context, layer, ports, bits, draft);
  draft.estimate_method =
      "measured times of the conversions after it and, if it is memory-bound, the share of its own "
      "time by which its bytes shrink";
  draft.fix = as_sentence(pool_fix(context, layer, input));
  if (is_onnxruntime && is_dequantized(context, in)) {
    draft.fix = format(
        "Give the Q/DQ pair after {} the scale and zero point of the one before it: ONNX Runtime "
        "removes both if they are equal, and the layer runs in {}",
        context.name(layer), model::to_string(small));
  }
  if (context.is_calibrated()) draft.fix = calibrated_fix(context, layer, small);
  if (!float_readers.empty()) {
    draft.evidence += format("; read in float by {}", listed(float_readers, 2));
    if (!context.is_calibrated()) {
      draft.fix += format("; {} must read it quantized, too", listed(float_readers, 2));
    }
  }
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer)) continue;
    if (context.family(layer) != Family::kPool && context.family(layer) != Family::kShuffle)
      continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    const auto& [in, out] = *ends;
    if (context.type(layer) == "Reshape") continue;  // moves nothing
    if (stays_in_caches(context, in[0])) continue;
    if (model::is_float(context.type_of(in[0])) && model::is_float(context.type_of(out[0]))) {
      judge(context, layer, in[0], out[0], sink);
    }
  }
}

}  // namespace
}  // namespace planex::lint::float_layer_between_quantized_rule

PLANEX_LINT_RULE(float_layer_between_quantized)
