#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"

namespace planex::lint::conversion_over_3_percent_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kTimes, Need::kLinks};

constexpr double kThreshold = 0.03;

constexpr RuleInfo kInfo = {
    .id = "conversion-over-3-percent",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary = "a layer that only changes type or layout takes more than 3 % of the layer time",
    .rationale =
        "It computes nothing. If it is needed all the same (planex explain reformats says why), "
        "the rule is silent. A conversion of that size is worth a look whatever its reason: "
        "neighbors that disagree on a type, a layout, or the engine's inputs and outputs",
    .fix =
        "Let its neighbors agree: on the type by moving Q/DQ; on the layout by binding inputs and "
        "outputs in the engine's own layout, or by changing the layer that needs the other one",
    .needs = kNeeds,
    .source =
        "planex; in the engines of the test data, conversions of that size explain most of "
        "the difference between good and bad Q/DQ placements",
    .evidence =
        "types and layouts on both sides, the conversion's time and its share, and the layers that "
        "write and read it",
    .estimate = "the conversion's measured time",
    .depth = 7};

std::string first_name(const Context& context, const Walk& walk, std::string_view none) {
  return walk.reaches.empty() ? std::string(none) : context.name(walk.reaches[0].layer);
}

bool crosses_types(DType from, DType to) {
  return model::is_quantized(from) != model::is_quantized(to);
}

bool is_written_by_conversion(const Context& context, PortRow in) {
  return std::ranges::any_of(context.writers(context.tensor_of(in)), [&](PortRow writer) {
    return context.is_conversion(context.layer_of(writer));
  });
}

// The layer next to it that runs in float although the model quantizes it: for a quantizer or
// dequantizer, and for a cast of weights that a kernel dequantizes.
std::optional<FallbackCause> cause_of(const Context& context, PortRow in, PortRow out) {
  if (!crosses_types(context.type_of(in), context.type_of(out)) &&
      !weight_kernel_before(context, in)) {
    return std::nullopt;
  }
  const DType from = context.type_of(in), to = context.type_of(out);
  return fallback_beside(context, context.tensor_of(in), context.tensor_of(out),
                         model::is_quantized(from) ? from : to);
}

void judge(const Context& context, LayerId layer, double share, FindingSink& sink) {
  const PortRow in = context.inputs(layer).front();
  const PortRow out = context.outputs(layer).front();
  const DType from = context.type_of(in);
  const DType to = context.type_of(out);
  // ONNX Runtime's blocked layouts are internal: no caller can bind them, and no model can request
  // them.
  if (from == to && producer_of(context) == Producer::kOnnxRuntime) return;
  const Walk writers = context.real_writers(context.tensor_of(in));
  const Walk readers = context.real_readers(context.tensor_of(out));
  const std::string writer = first_name(context, writers, "the engine's input");
  const std::string reader = first_name(context, readers, "the engine's output");
  const std::string input = context.name(context.tensor_of(in));
  const bool same_type = from == to;
  const std::string layouts = layout_text(context, in, out);

  FindingDraft draft;
  draft.layer = layer;
  draft.message = format("{} takes {:.1f} % of the layer time and only converts {}",
                         context.type(layer), 100 * share,
                         same_type ? format("the layout, {}", layouts) : conversion_text(from, to));
  draft.evidence = format("{} → {}, {}; written by {}, read by {}", context.port_text(in),
                          context.port_text(out), time_text(context, layer), writer, reader);
  draft.savings = {{layer}};
  draft.estimate_method = "measured time of the layer";
  if (const auto cause = cause_of(context, in, out)) {
    draft.message += format(", {}", because_text(context, *cause));
    draft.fix = cause->rule->cure;
  } else if (writers.reaches.empty()) {
    // After another conversion it is not a tensor of the caller: conversions-in-a-row.
    if (is_written_by_conversion(context, in)) return;
    draft.severity = Severity::kInfo;
    draft.message += "; it is at the engine's input";
    draft.action = ActionKind::kCaller;
    draft.fix = format("Pass {} as the engine reads it: {}", input,
                       same_type ? format("in the layout {}", layout_name(context, out))
                                 : format("as {}", model::to_string(to)));
    if (model::is_float(from) && model::is_quantized(to)) {
      draft.fix = caller_quantizes_fix(context, in, to);
    }
  } else if (readers.reaches.empty()) {
    if (!context.is_engine_output(context.tensor_of(out))) return;
    draft.severity = Severity::kInfo;
    draft.message += "; it is at the engine's output";
    draft.action = ActionKind::kCaller;
    draft.fix = format("Read the output as {} writes it", writer);
  } else if (same_type) {
    const auto judgement = context.reformat(layer);
    const bool is_avoidable = judgement && judgement->verdict == model::ReformatVerdict::kAvoidable;
    // Only the engine chooses the layouts inside it.
    if (!is_avoidable && producer_of(context) == Producer::kOpenVino) return;
    if (!is_avoidable) draft.severity = Severity::kInfo;
    draft.fix = format(
        "Let {} and {} use the same layout: check which of them has a kernel for the other's "
        "layout, or merge the layers between them",
        writer, reader);
  } else if (crosses_types(from, to) && producer_of(context) == Producer::kOnnxRuntime) {
    // It belongs to a group of operations, and whether that group could fuse as a whole is not
    // known from this one.
    return;
  } else if (model::is_quantized(to)) {
    draft.fix = quantizer_fix(context, in, to);
  } else if (model::is_quantized(from)) {
    draft.fix = dequantizer_fix(context, out, from);
  } else {
    add_float_conversion_fix(context, in, out, draft);
  }
  if (draft.fix.empty()) return;
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  const double total = context.total_ms().value_or(0);
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.is_conversion(layer) || context.outputs(layer).empty()) continue;
    const auto time = context.time_ms(layer);
    if (!time) {
      sink.could_not_judge("their times are not known");
      continue;
    }
    sink.looked_at();
    if (context.is_needed(layer)) continue;
    if (total > 0 && *time > kThreshold * total) judge(context, layer, *time / total, sink);
  }
}

}  // namespace
}  // namespace planex::lint::conversion_over_3_percent_rule

PLANEX_LINT_RULE(conversion_over_3_percent)
