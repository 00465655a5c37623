#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"
#include "lint/unique_list.h"

namespace planex::lint::quantization_undone_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "quantization-undone",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary =
        "at least half of the convolutions and matrix products that the model quantizes with "
        "special operations (QLinearConv, MatMulInteger) run in float",
    .rationale =
        "An engine without kernels for these operations computes them in float, with a conversion "
        "before and behind each: more work than the float model has, for less accuracy. It is so "
        "with ONNX Runtime's QOperator form and with dynamic quantization in most other engines",
    .fix =
        "Export the model with Q/DQ pairs and calibrated scales, or take the float model (planex "
        "explain quantization shows each layer)",
    .needs = kNeeds,
    .source =
        "A ResNet-50 in QOperator form in OpenVINO 2026.4: 63 of 64 convolutions in float with a "
        "conversion each",
    .evidence = "how many run in float, the conversions beside them, and their times",
    .estimate = "the measured times of the conversions beside these layers"};

enum class Form : std::uint8_t { kNone, kOperator, kDynamic };

Form form_of(std::string_view type, std::string_view name) {
  const std::string_view word = type.empty() ? name : type;
  const auto has = [&](std::string_view part) { return word.find(part) != std::string_view::npos; };
  if (has("DynamicQuantize") || has("ConvInteger") || has("MatMulInteger")) return Form::kDynamic;
  if (has("QLinearConv") || has("QLinearMatMul") || has("QGemm")) return Form::kOperator;
  return Form::kNone;
}

Form form_of(const Context& context, LayerId layer) {
  const auto& sources = context.model().sources;
  const model::RowRange rows = context.model().sources_of(layer);
  for (std::size_t row = rows.first; row < rows.end(); ++row) {
    const Form form = form_of(context.model().text(sources.op_type[row]),
                              context.model().text(sources.op_name[row]));
    if (form != Form::kNone) return form;
  }
  return Form::kNone;
}

// Conversions between float and quantized types right beside the layer.
std::vector<LayerId> conversions_beside(const Context& context, LayerId layer) {
  std::vector<LayerId> found;
  const auto add = [&](const Walk& walk) {
    for (const Reach& reach : walk.reaches) append_unique(found, reach.conversions);
  };
  for (const PortRow port : context.inputs(layer)) {
    add(context.real_writers(context.tensor_of(port)));
  }
  for (const PortRow port : context.outputs(layer)) {
    add(context.real_readers(context.tensor_of(port)));
  }
  std::erase_if(found, [&](LayerId conversion) {
    const auto in = context.inputs(conversion), out = context.outputs(conversion);
    return in.empty() || out.empty() ||
           model::is_quantized(context.type_of(in[0])) ==
               model::is_quantized(context.type_of(out[0]));
  });
  return found;
}

void run(const Context& context, FindingSink& sink) {
  std::size_t requested = 0, dynamic = 0;
  std::vector<LayerId> in_float;
  UniqueList<LayerId> beside;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || !context.is_matrix_layer(layer)) continue;
    const auto ends = typed_ends(context, layer, sink);
    const Form form = ends ? form_of(context, layer) : Form::kNone;
    if (form == Form::kNone) continue;
    ++requested;
    if (!model::is_float(context.type_of(ends->in[0]))) continue;
    if (form == Form::kDynamic) ++dynamic;
    in_float.push_back(layer);
    for (const LayerId conversion : conversions_beside(context, layer)) beside.add(conversion);
  }
  if (in_float.empty() || 2 * in_float.size() < requested) return;
  const std::vector<LayerId>& conversions = beside.items();
  FindingDraft draft;
  draft.layer = *std::ranges::max_element(
      in_float, {}, [&](LayerId layer) { return context.time_ms(layer).value_or(0); });
  draft.message = format("{} of {} that the model quantizes run in {}, and this is the longest",
                         in_float.size(), base::counted(requested, "layer"),
                         model::to_string(context.type_of(context.inputs(draft.layer)[0])));
  draft.evidence = conversions.empty() ? std::string("no conversion stands beside them")
                                       : format("conversions beside them: {}",
                                                listed_with_times(context, conversions));
  for (const LayerId conversion : conversions) draft.savings.push_back({conversion});
  draft.estimate_method = conversions.empty()
                              ? "not known: what quantized kernels would save"
                              : "measured times of the conversions; what quantized kernels would "
                                "save beyond that is not known";
  draft.fix = 2 * dynamic >= in_float.size()
                  ? "Quantize statically, with calibrated scales in Q/DQ pairs, or take the float "
                    "model: this engine undoes dynamic quantization"
                  : "Export the model with Q/DQ pairs in place of QOperator operations (in ONNX "
                    "Runtime's quantizer: quant_format=QuantFormat.QDQ)";
  sink.add(std::move(draft));
}

}  // namespace
}  // namespace planex::lint::quantization_undone_rule

PLANEX_LINT_RULE(quantization_undone)
