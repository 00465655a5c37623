#include <array>

#include "base/text.h"
#include "lint/quantization.h"

namespace planex::lint::qdq_unfused_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "qdq-unfused",
    .pack = Pack::kTensorRt,
    .severity = Severity::kWarning,
    .summary = "a quantizer or dequantizer of the model runs as a separate layer",
    .rationale =
        "TensorRT folds a Q/DQ pair into its neighbors if both can be quantized; one that is left "
        "over reads and writes a whole tensor. It appears as a Scale in TensorRT 8.2 and as a "
        "Reformat with origin QDQ from 8.4 on",
    .fix =
        "Place Q/DQ so that the layer before a quantizer can write the small type and the layer "
        "after a dequantizer can read it: on every input of an addition, before pooling rather "
        "than after it, one pair for all readers of a tensor",
    .needs = kNeeds,
    .source = "NVIDIA TensorRT Developer Guide, Q/DQ Layer-Placement Recommendations",
    .evidence = "types and shapes on both sides and the layer's time",
    .estimate = "the layer's measured time, which disappears when it is fused",
    .depth = 4,
    .command = kAdviseCommand};

bool is_candidate(const Context& context, LayerId layer) {
  if (!context.works(layer)) return false;
  if (context.type(layer) == "Scale" || context.type(layer) == "Quantize" ||
      context.type(layer) == "Dequantize") {
    return true;
  }
  return context.family(layer) == Family::kReformat &&
         context.model().text(context.model().layers.origin[layer.index()]) == "QDQ";
}

std::vector<std::string> names_of(const Context& context, const Walk& walk) {
  std::vector<std::string> names;
  for (const Reach& reach : walk.reaches) names.push_back(context.name(reach.layer));
  return names;
}

void judge_quantizer(const Context& context, PortRow in, DType small, FindingDraft& draft) {
  const Walk writers = context.real_writers(context.tensor_of(in));
  draft.fix = quantizer_fix(context, in, small);
  if (!writers.reaches.empty()) {
    draft.evidence += format("; written by {}", listed(names_of(context, writers), 2));
    return;
  }
  draft.severity = Severity::kInfo;
  draft.message += "; it quantizes the engine's input";
  draft.action = ActionKind::kCaller;
  draft.fix = caller_quantizes_fix(context, in, small);
}

void judge_dequantizer(const Context& context, PortRow out, DType small, FindingDraft& draft) {
  const Walk readers = context.real_readers(context.tensor_of(out));
  draft.fix = dequantizer_fix(context, out, small);
  if (!readers.reaches.empty()) {
    draft.evidence += format("; read by {}", listed(names_of(context, readers), 2));
    return;
  }
  draft.severity = Severity::kInfo;
  draft.action = ActionKind::kCaller;
  draft.message += "; it writes the engine's output";
  draft.fix =
      format("Let the caller read {} as {} and scale it: the model then ends in the quantizer",
             context.name(context.tensor_of(out)), model::to_string(small));
}

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!is_candidate(context, layer)) continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    const auto& [in, out] = *ends;
    const DType from = context.type_of(in[0]);
    const DType to = context.type_of(out[0]);
    if (model::is_quantized(from) == model::is_quantized(to)) continue;
    const bool quantizes = model::is_quantized(to);
    FindingDraft draft;
    draft.layer = layer;
    draft.message = format("{} runs as a separate layer, {}",
                           quantizes ? "quantizer" : "dequantizer", conversion_text(from, to));
    draft.evidence = format("{} → {}, {}", context.port_text(in[0]), context.port_text(out[0]),
                            time_text(context, layer));
    draft.savings = {{layer}};
    draft.estimate_method = "measured time of the layer, which disappears when it is fused";
    if (quantizes) {
      judge_quantizer(context, in[0], to, draft);
    } else {
      judge_dequantizer(context, out[0], from, draft);
    }
    if (draft.fix.empty()) continue;
    sink.add(std::move(draft));
  }
}

}  // namespace
}  // namespace planex::lint::qdq_unfused_rule

PLANEX_LINT_RULE(qdq_unfused)
