#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/quantization.h"

namespace planex::lint::reformat_changes_type_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "reformat-changes-type",
    .pack = Pack::kTensorRt,
    .severity = Severity::kWarning,
    .summary = "a reformat reads one element type and writes another",
    .rationale =
        "It moves every element only because its neighbors disagree on the type. A reformat at the "
        "engine's edge is only a note, because the caller chooses the type there; so is a "
        "quantizer of the model, which qdq-unfused reports",
    .fix =
        "Let both neighbors use one type: move or add Q/DQ where one side is quantized, allow "
        "or force one precision where both are floats, and bind engine inputs and outputs in the "
        "type the engine uses (--inputIOFormats, --outputIOFormats)",
    .needs = kNeeds,
    .source = "NVIDIA TREx, reformat linter; origins as TensorRT writes them",
    .evidence =
        "types, shapes and layouts on both sides, the reformat's time, and the layers that write "
        "and read it",
    .estimate = "the reformat's measured time, which disappears when both sides use one type",
    .depth = 6};

std::string neighbors(const Context& context, const Walk& walk, std::string_view none) {
  std::vector<std::string> names;
  for (const Reach& reach : walk.reaches) names.push_back(context.name(reach.layer));
  if (names.empty()) return std::string(none);
  return listed(names, 2);
}

// A few numbers, whatever the batch: letting a layer round in another type for them saves nothing.
bool is_tiny(const Context& context, PortRow port) {
  constexpr std::int64_t kFewNumbers = 256;
  std::int64_t count = 1;
  for (const std::int64_t size : context.dims_of(port)) {
    // A dynamic size is most likely the batch.
    if (size > 0) count = std::min(count * std::min(size, kFewNumbers), kFewNumbers);
  }
  return !context.dims_of(port).empty() && count < kFewNumbers;
}

void judge(const Context& context, LayerId layer, PortRow in, PortRow out, FindingSink& sink) {
  const DType from = context.type_of(in);
  const DType to = context.type_of(out);
  const Walk writers = context.real_writers(context.tensor_of(in));
  const Walk readers = context.real_readers(context.tensor_of(out));
  const bool at_input = writers.reaches.empty();
  const bool at_output = readers.reaches.empty();
  if (!at_input && !at_output && is_tiny(context, in)) return;
  // A copy into a layout that no caller can bind stays, whatever its type.
  if ((at_input || at_output) && !caller_can_bind(context, at_input ? out : in)) return;
  const std::string_view origin =
      context.model().text(context.model().layers.origin[layer.index()]);
  const std::string writer = neighbors(context, writers, "the engine's input");
  const std::string reader = neighbors(context, readers, "the engine's output");

  FindingDraft draft;
  draft.layer = layer;
  draft.message = format("reformat converts {}", conversion_text(from, to));
  if (!origin.empty()) draft.message += format(" (origin {})", base::quoted(origin, 40));
  draft.evidence = format("{} → {}, {}; written by {}, read by {}", context.port_text(in),
                          context.port_text(out), time_text(context, layer), writer, reader);
  draft.savings = {{layer}};
  draft.estimate_method =
      "measured time of the reformat, which disappears when both sides use one type";
  if (at_input || at_output) {
    draft.action = ActionKind::kCaller;
    draft.severity = Severity::kInfo;
    draft.message += at_input ? "; it is at the engine's input" : "; it is at the engine's output";
    draft.fix = as_sentence(edge_advice(context, context.tensor_of(at_input ? in : out),
                                        at_input ? out : in, at_input));
    if (at_input && model::is_quantized(to)) {
      draft.fix += context.is_calibrated()
                       ? ", quantized by the caller with the scale of that tensor"
                       : ", quantized by the caller with the scale of this Q/DQ";
    }
  } else if (model::is_quantized(to)) {
    draft.fix = quantizer_fix(context, in, to);
  } else if (model::is_quantized(from)) {
    draft.fix = dequantizer_fix(context, out, from);
  } else {
    add_float_conversion_fix(context, in, out, draft);
  }
  if (draft.fix.empty()) return;
  if (origin == "QDQ" && draft.severity != Severity::kInfo) {
    // The same layer, reported by the rule for its kind.
    draft.severity = Severity::kInfo;
    draft.message += "; see qdq-unfused";
  }
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || context.family(layer) != Family::kReformat) continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    const auto& [in, out] = *ends;
    if (context.type_of(in[0]) != context.type_of(out[0]) && !context.is_needed(layer)) {
      judge(context, layer, in[0], out[0], sink);
    }
  }
}

}  // namespace
}  // namespace planex::lint::reformat_changes_type_rule

PLANEX_LINT_RULE(reformat_changes_type)
