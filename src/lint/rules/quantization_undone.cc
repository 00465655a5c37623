#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/text.h"
#include "engines/engine_rules.h"
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
        "at least half of the convolutions and matrix products that the model quantizes run in "
        "float: with special operations (QLinearConv, MatMulInteger), between Q/DQ that are "
        "computed, or with weights that are made float at every inference",
    .rationale =
        "An engine without kernels for these operations computes them in float, with a conversion "
        "before and behind each: more work than the float model has, for less accuracy. It is so "
        "with ONNX Runtime's QOperator form and with dynamic quantization in most other engines, "
        "and "
        "with Q/DQ that are not where the engine fuses them",
    .fix =
        "Export the model with Q/DQ pairs and calibrated scales, where the engine wants them "
        "(planex quantize, planex advise), or take the float model (planex explain quantization "
        "shows each layer)",
    .needs = kNeeds,
    .source =
        "A ResNet-50 in QOperator form in OpenVINO 2026.4: 63 of 64 convolutions in float with a "
        "conversion each",
    .evidence =
        "how many run in float, the conversions beside them, what makes weights float at every "
        "inference, and their times",
    .estimate = "the measured times of the conversions beside these layers"};

// kPairs: DequantizeLinear that are computed stand before all that it reads; kWeights: only its
// weights are dequantized, at every inference.
enum class Form : std::uint8_t { kNone, kOperator, kDynamic, kPairs, kWeights };

Form form_of(std::string_view type, std::string_view name) {
  const std::string_view word = type.empty() ? name : type;
  const auto has = [&](std::string_view part) { return word.find(part) != std::string_view::npos; };
  if (has("DynamicQuantize") || has("ConvInteger") || has("MatMulInteger")) return Form::kDynamic;
  if (has("QLinearConv") || has("QLinearMatMul") || has("QGemm")) return Form::kOperator;
  return Form::kNone;
}

// What computes the tensor, casts looked through; none where it is not one layer's alone.
std::optional<LayerId> maker_of(const Context& context, PortRow input) {
  constexpr std::size_t kMaxCasts = 3;
  TensorId tensor = context.tensor_of(input);
  for (std::size_t step = 0; step <= kMaxCasts; ++step) {
    const auto writers = context.writers(tensor);
    if (writers.size() != 1) return std::nullopt;
    const LayerId maker = context.layer_of(writers[0]);
    if (!context.works(maker) || !model::is_float(context.type_of(writers[0]))) return std::nullopt;
    const auto in = context.inputs(maker);
    const bool is_cast =
        context.type(maker) == "Cast" && in.size() == 1 && model::is_float(context.type_of(in[0]));
    if (!is_cast) return maker;
    tensor = context.tensor_of(in[0]);
  }
  return std::nullopt;
}

// It makes floats of constants that are stored quantized, at every inference.
bool is_expanding(const Context& context, LayerId layer) {
  if (!context.inputs(layer).empty()) return false;
  const model::RowRange ports = context.model().ports_of(layer);
  for (PortRow port = ports.first; port < ports.end(); ++port) {
    if (context.model().ports.direction[port] != model::Direction::kOutput &&
        model::is_quantized(context.type_of(port))) {
      return true;
    }
  }
  return false;
}

bool stores_fp8(const Context& context, LayerId layer) {
  const model::RowRange ports = context.model().ports_of(layer);
  for (PortRow port = ports.first; port < ports.end(); ++port) {
    if (model::to_string(context.type_of(port)).starts_with("FP8")) return true;
  }
  return false;
}

bool is_dequantizing(const Context& context, LayerId layer) {
  const auto in = context.inputs(layer);
  return context.type(layer) == "DequantizeLinear" && in.size() == 1 &&
         model::is_quantized(context.type_of(in[0]));
}

// What a layer in float reads, as far as kernels make floats of it at every inference.
struct Expanded {
  Form form = Form::kNone;
  std::vector<LayerId> kernels;  // of its weights
  bool is_fp8 = false;           // what they make floats of
};

Expanded expanded_of(const Context& context, LayerId layer) {
  Expanded found;
  const bool is_convolution = context.family(layer) == Family::kConvolution;
  // Of these float-conv-of-quantized-weights speaks.
  if (is_convolution && is_tensorrt_rtx(context)) return found;
  std::size_t dequantized = 0;
  for (const PortRow input : context.inputs(layer)) {
    const auto maker = maker_of(context, input);
    if (!maker) continue;
    if (is_expanding(context, *maker)) {
      found.kernels.push_back(*maker);
      found.is_fp8 = found.is_fp8 || stores_fp8(context, *maker);
    }
    dequantized += is_dequantizing(context, *maker) ? 1 : 0;
  }
  if (found.kernels.empty()) return found;
  found.form = dequantized > 0 ? Form::kPairs : Form::kWeights;
  return found;
}

// What the table of engines has for it; empty: nothing is known, or nothing can be done.
std::string_view engine_cure(const Context& context, LayerId layer, Form form) {
  const std::string_view engine = context.model().text(context.model().engine.producer[0]);
  const bool is_convolution = context.family(layer) == Family::kConvolution;
  auto condition = engines::Condition::kQuantizedOutput;
  if (expanded_of(context, layer).is_fp8) {
    condition = engines::Condition::kFp8Products;
  } else if (form == Form::kWeights) {
    condition = is_convolution ? engines::Condition::kConvolutionWeights
                               : engines::Condition::kProductWeights;
  }
  const engines::EngineRule* rule = engines::find_engine_rule(engine, condition);
  return rule == nullptr ? std::string_view() : rule->cure;
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

std::string fix_for(const Context& context, LayerId layer, Form form) {
  switch (form) {
    case Form::kDynamic:
      return "Quantize statically, with calibrated scales in Q/DQ pairs, or take the float model: "
             "this engine undoes dynamic quantization";
    case Form::kNone:
    case Form::kOperator:
      return "Export the model with Q/DQ pairs in place of QOperator operations (in ONNX Runtime's "
             "quantizer: quant_format=QuantFormat.QDQ)";
    case Form::kPairs:
    case Form::kWeights:
      break;
  }
  const std::string_view cure = engine_cure(context, layer, form);
  std::string fix = cure.empty() ? std::string() : format("{}. ", cure);
  if (form == Form::kPairs && !cure.empty() && !expanded_of(context, layer).is_fp8) {
    fix =
        "Put Q/DQ where the engine fuses them: planex quantize --target onnxruntime from the float "
        "model, or planex advise --target onnxruntime. ";
  }
  return fix + "planex explain quantization names the cause of each layer";
}

void run(const Context& context, FindingSink& sink) {
  std::size_t requested = 0;
  std::map<Form, std::size_t> counts;
  std::vector<LayerId> in_float;
  UniqueList<LayerId> beside, expanding;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || !context.is_matrix_layer(layer)) continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    const bool is_float = model::is_float(context.type_of(ends->in[0]));
    Form form = form_of(context, layer);
    if (form == Form::kNone && is_float) {
      const Expanded found = expanded_of(context, layer);
      form = found.form;
      for (const LayerId kernel : found.kernels) expanding.add(kernel);
    }
    if (form == Form::kNone) continue;
    ++requested;
    if (!is_float) continue;
    ++counts[form];
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
  if (!expanding.items().empty()) {
    draft.evidence += format("; weights made float at every inference by {}",
                             listed_with_times(context, expanding.items()));
  }
  for (const LayerId conversion : conversions) draft.savings.push_back({conversion});
  draft.estimate_method = conversions.empty()
                              ? "not known: what quantized kernels would save"
                              : "measured times of the conversions; what quantized kernels would "
                                "save beyond that is not known";
  const Form most =
      std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; })->first;
  draft.fix = fix_for(context, draft.layer, most);
  sink.add(std::move(draft));
}

}  // namespace
}  // namespace planex::lint::quantization_undone_rule

PLANEX_LINT_RULE(quantization_undone)
