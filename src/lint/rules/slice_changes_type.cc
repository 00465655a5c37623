#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"

namespace planex::lint::slice_changes_type_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes};

constexpr RuleInfo kInfo = {
    .id = "slice-changes-type",
    .pack = Pack::kTensorRt,
    .severity = Severity::kWarning,
    .summary = "a Slice reads one element type and writes another",
    .rationale =
        "A slice alone is often no work at all: its reader uses a view. One that converts copies "
        "every element, because its neighbors disagree on the type",
    .fix = "Let the layers on both sides use one type: quantize before the slice, or after it",
    .needs = kNeeds,
    .source = "NVIDIA TREx, slice linter",
    .evidence = "types, shapes and layouts on both sides and the slice's time",
    .estimate = "the slice's measured time: in one type it can be a view",
    .depth = 4};

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || context.type(layer) != "Slice") continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    const auto& [in, out] = *ends;
    const DType from = context.type_of(in[0]);
    const DType to = context.type_of(out[0]);
    if (from == to) continue;
    const std::string input = context.name(context.tensor_of(in[0]));
    FindingDraft draft;
    draft.layer = layer;
    draft.message = format("slice converts {}", conversion_text(from, to));
    draft.evidence = format("{} → {}, {}", context.port_text(in[0]), context.port_text(out[0]),
                            time_text(context, layer));
    const auto before = element_count(context.dims_of(in[0]));
    const auto after = element_count(context.dims_of(out[0]));
    if (before && after && *after > *before) {
      draft.estimate_method = "not known: it also pads, so it stays a copy even in one type";
    } else {
      draft.savings = {{layer}};
      draft.estimate_method = "measured time of the slice: in one type it can be a view";
    }
    if (context.is_calibrated()) {
      draft.action = ActionKind::kOption;
      draft.fix = calibrated_fix(context, layer, model::is_quantized(to) ? to : from);
    } else if (model::is_quantized(to)) {
      draft.fix = format("Quantize {} before the slice, so that {} slices {}", input,
                         context.name(layer), model::to_string(to));
    } else if (model::is_quantized(from)) {
      draft.fix = format("Let the readers of {} use {}, or dequantize {} before the slice",
                         context.name(context.tensor_of(out[0])), model::to_string(from), input);
    } else {
      draft.fix = format("Let the writer of {} and the readers of {} use {}", input,
                         context.name(context.tensor_of(out[0])), model::to_string(to));
    }
    sink.add(std::move(draft));
  }
}

}  // namespace
}  // namespace planex::lint::slice_changes_type_rule

PLANEX_LINT_RULE(slice_changes_type)
