#include <array>

#include "base/text.h"
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
        "It computes nothing. Where it is needed all the same (planex explain reformats says why), "
        "the rule is silent. One of that size is worth a look whatever its reason: a type "
        "its neighbors disagree on, a layout, the engine's inputs and outputs",
    .fix =
        "Let its neighbors agree: on the type by moving Q/DQ, on the layout by binding inputs "
        "and outputs in the engine's own, or by changing the layer that asks for the other",
    .needs = kNeeds,
    .source =
        "planex; in the engines of the test data, conversions of that size explain most of "
        "the difference between good and bad Q/DQ placements",
    .evidence =
        "types and layouts on both sides, the conversion's time and its share, who writes "
        "and who reads",
    .estimate = "the conversion's measured time",
    .depth = 7};

std::string first_name(const Context& context, const Walk& walk, std::string_view none) {
  return walk.reaches.empty() ? std::string(none) : context.name(walk.reaches[0].layer);
}

void judge(const Context& context, LayerId layer, double share, FindingSink& sink) {
  const PortRow in = context.inputs(layer).front();
  const PortRow out = context.outputs(layer).front();
  const DType from = context.type_of(in);
  const DType to = context.type_of(out);
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
  if (writers.reaches.empty()) {
    draft.severity = Severity::kInfo;
    draft.message += "; it is at the engine's input";
    draft.fix = format(
        "Give {} as the engine wants it: {}", input,
        same_type ? format("in the layout {}", layouts) : format("as {}", model::to_string(to)));
  } else if (readers.reaches.empty()) {
    draft.severity = Severity::kInfo;
    draft.message += "; it is at the engine's output";
    draft.fix = format("Take the output as {} writes it", writer);
  } else if (same_type) {
    const auto judgement = context.reformat(layer);
    const bool is_avoidable = judgement && judgement->verdict == model::ReformatVerdict::kAvoidable;
    if (!is_avoidable) draft.severity = Severity::kInfo;
    draft.fix = format(
        "Let {} and {} agree on a layout: see which of them has a kernel for the "
        "other's, or merge what stands between them",
        writer, reader);
  } else if (model::is_quantized(to)) {
    draft.fix = quantizer_fix(context, in, to);
  } else if (model::is_quantized(from)) {
    draft.fix = dequantizer_fix(context, out, from);
  } else {
    draft.fix = float_conversion_fix(context, in, out);
  }
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
