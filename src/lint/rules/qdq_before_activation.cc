#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"

namespace planex::lint::qdq_before_activation_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "qdq-before-activation",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary =
        "a quantizer between a convolution or matrix product and its activation keeps the "
        "activation from being fused",
    .rationale =
        "A kernel applies an activation to its result before writing it. With a quantizer in "
        "between, the result is written in the small type, read again, dequantized, activated and "
        "quantized once more: one more layer and one more rounding per convolution. ONNX Runtime "
        "fuses a convolution only with a quantizer right after it: the rule is silent there",
    .fix = "Put the Q/DQ pair after the activation, and no pair between it and the convolution",
    .needs = kNeeds,
    .source =
        "A YOLO model with Q/DQ in OpenVINO 2026.4: 57 convolutions with a SiLU after a quantizer, "
        "14 of 61 ms",
    .evidence = "the activation, what it reads and writes, its time, and the layer before it",
    .estimate =
        "the activation's measured time, because it is fused into the layer before it; not known "
        "if a CPU computes an exponential, which takes a part of that time wherever it runs",
    .command = kAdviseCommand};

// Named as in ONNX and in OpenVINO. An addition is not an activation: it may have to wait.
constexpr std::array<std::string_view, 13> kActivations = {
    "Sigmoid", "HardSigmoid", "Swish", "HSwish", "HardSwish", "Relu", "LeakyRelu",
    "PRelu",   "Clip",        "Clamp", "Elu",    "Gelu",      "Mish"};

bool is_activation(const Context& context, LayerId layer) {
  const model::RowRange sources = context.model().sources_of(layer);
  for (std::size_t row = sources.first; row < sources.end(); ++row) {
    const std::string_view type = context.model().text(context.model().sources.op_type[row]);
    const std::string_view name = context.model().text(context.model().sources.op_name[row]);
    for (const std::string_view word : kActivations) {
      if (type.empty() ? name.find(word) != std::string_view::npos : type == word) return true;
    }
  }
  return false;
}

// The share of a LeakyRelu's time in OpenVINO that disappears; the rest it takes inside the
// convolution.
constexpr double kGoes = 0.85;

// On a CPU, an exponential takes its time inside the layer before it, too. Measured: for four Elu
// in OpenVINO, 0.6 to 0.9 ms were promised and 0.2 ms saved.
bool takes_its_time_anyway(const Context& context, LayerId layer) {
  if (producer_of(context) != Producer::kOpenVino) return false;
  return std::ranges::any_of(
      std::array<std::string_view, 5>{"Sigmoid", "Swish", "Elu", "Gelu", "Mish"},
      [&](std::string_view type) { return has_source(context, layer, type); });
}

void run(const Context& context, FindingSink& sink) {
  // ONNX Runtime needs it this way: a convolution fuses only with a quantizer right after it, and
  // it has quantized kernels for some activations.
  if (producer_of(context) == Producer::kOnnxRuntime) return;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || context.is_matrix_layer(layer) || context.is_conversion(layer) ||
        context.family(layer) == Family::kPool) {
      continue;
    }
    const auto ends = typed_ends(context, layer, sink);
    // One tensor, which the layer before it wrote in a quantized type.
    if (!ends || ends->in.size() != 1 || !model::is_quantized(context.type_of(ends->in[0])) ||
        !is_activation(context, layer)) {
      continue;
    }
    const Walk writers = context.real_writers(context.tensor_of(ends->in[0]));
    if (writers.ends_at_engine_edge || writers.reaches.size() != 1) continue;
    const Reach& writer = writers.reaches.front();
    if (!context.is_matrix_layer(writer.layer)) continue;
    const Walk readers = context.real_readers(context.tensor_of(writer.port));
    if (readers.ends_at_engine_edge || readers.reaches.size() != 1) continue;
    FindingDraft draft;
    draft.layer = layer;
    draft.message = format(
        "the activation runs as a separate layer, because the output of {} is quantized before it",
        context.name(writer.layer));
    draft.evidence = format("{} → {}, {}; written by {}", context.port_text(ends->in[0]),
                            context.port_text(ends->out[0]), time_text(context, layer),
                            context.name(writer.layer));
    if (takes_its_time_anyway(context, layer)) {
      draft.estimate_method =
          "not known: fused into the layer before it, the activation still takes a part of its "
          "time";
    } else {
      const bool is_processor = producer_of(context) == Producer::kOpenVino;
      draft.savings = {{layer, is_processor ? kGoes : 1.0}};
      for (const LayerId conversion : writer.conversions) draft.savings.push_back({conversion});
      draft.estimate_method =
          "measured time of the activation and of conversions before it; fused into the layer "
          "before it, it costs a small part of that";
    }
    draft.fix = format(
        "Remove the Q/DQ pair between {} and the activation {}, and put it after the activation",
        context.name(writer.layer), context.name(layer));
    sink.add(std::move(draft));
  }
}

}  // namespace
}  // namespace planex::lint::qdq_before_activation_rule

PLANEX_LINT_RULE(qdq_before_activation)
