#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::qdq_computed_in_float_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "qdq-computed-in-float",
    .pack = Pack::kTensorRtRtx,
    .severity = Severity::kWarning,
    .summary = "a quantizer and its dequantizer run as one kernel that reads and writes floats",
    .rationale =
        "No layer after such a pair reads the small type, so the compiler only rounds the values: "
        "the tensor is read and written once more, at full size, and accuracy is lost for nothing",
    .fix =
        "Let the readers use the small type: in TensorRT-RTX, write the scale of the pair as a "
        "scalar, not as a list of one value. Remove the pairs whose readers run in float whatever "
        "their scales",
    .needs = kNeeds,
    .source = "Seen before the convolutions of ResNet-18 with Q/DQ in TensorRT-RTX 1.7.1",
    .evidence = "types and shapes on both sides, the kernel's time and its readers",
    .estimate = "the kernel's measured time, which disappears with the pair",
    .depth = 4,
    .command = kAdviseCommand};

constexpr std::array<std::string_view, 2> kPair = {"QuantizeLinear", "DequantizeLinear"};

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || !has_only_sources(context, layer, kPair)) continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    const auto& [in, out] = *ends;
    if (!has_source(context, layer, kPair[0]) || !has_source(context, layer, kPair[1]) ||
        !model::is_float(context.type_of(in[0])) || !model::is_float(context.type_of(out[0]))) {
      continue;
    }
    const std::string readers =
        names_or(context, context.real_readers(context.tensor_of(out[0])), "the engine's output");
    FindingDraft draft;
    draft.layer = layer;
    draft.message =
        format("a Q/DQ pair is computed in {}: it rounds the values but makes nothing smaller",
               model::to_string(context.type_of(out[0])));
    draft.evidence = format("{} → {}, {}; read by {}", context.port_text(in[0]),
                            context.port_text(out[0]), time_text(context, layer), readers);
    draft.savings = {{layer}};
    draft.estimate_method = "measured time of the kernel, which disappears with the pair";
    draft.fix = format(
        "Write the scale of the Q/DQ pair before {} as a scalar if it is a list of one value; if "
        "it already is a scalar, remove the pair: {} is read either way",
        readers, model::to_string(context.type_of(out[0])));
    sink.add(std::move(draft));
  }
}

}  // namespace
}  // namespace planex::lint::qdq_computed_in_float_rule

PLANEX_LINT_RULE(qdq_computed_in_float)
