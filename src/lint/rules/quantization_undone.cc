#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/text.h"
#include "engines/engine_rules.h"
#include "lint/advice.h"
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
        "convolutions and matrix products that the model quantizes run in float, for a reason that "
        "the engine's own rules give; or at least half of them do: with special operations "
        "(QLinearConv, MatMulInteger), between Q/DQ that are computed, or with weights that are "
        "dequantized in every inference",
    .rationale =
        "An engine without kernels for these operations computes them in float, with a conversion "
        "before and after each: more work than the float model, for less accuracy. This happens "
        "with ONNX Runtime's QOperator form and with dynamic quantization in most other engines, "
        "and with Q/DQ placed where the engine does not fuse them. A table lists what each engine "
        "fuses (planex explain engines): one finding for each of its rules that keeps layers in "
        "float",
    .fix =
        "Do what the engine's rule says. Otherwise, export the model with Q/DQ pairs and "
        "calibrated scales where the engine needs them (planex quantize, planex advise), or use "
        "the float model (planex explain quantization shows each layer)",
    .needs = kNeeds,
    .source =
        "docs/reference/engine-rules.md, whose rules are built both ways with the engines; a "
        "ResNet-50 in QOperator form in OpenVINO 2026.4: 63 of 64 convolutions in float with a "
        "conversion each",
    .evidence =
        "how many run in float, the conversions next to them, what dequantizes weights in every "
        "inference, and their times",
    .estimate =
        "the measured times of the conversions next to these layers, and of what dequantizes their "
        "weights if a quantized kernel reads them as they are"};

// kPairs: all its inputs come from DequantizeLinear layers that are computed; kWeights: only its
// weights are dequantized, in every inference.
enum class Form : std::uint8_t { kNone, kOperator, kDynamic, kPairs, kWeights };

Form form_of(std::string_view type, std::string_view name) {
  const std::string_view word = type.empty() ? name : type;
  const auto has = [&](std::string_view part) { return word.find(part) != std::string_view::npos; };
  if (has("DynamicQuantize") || has("ConvInteger") || has("MatMulInteger")) return Form::kDynamic;
  if (has("QLinearConv") || has("QLinearMatMul") || has("QGemm")) return Form::kOperator;
  return Form::kNone;
}

// Follows casts between floats back from `input`: the port that reads the first of them, or `input`
// itself. The casts are added to `casts`.
PortRow before_casts(const Context& context, PortRow input, std::vector<LayerId>& casts) {
  constexpr std::size_t kMaxCasts = 3;
  for (std::size_t step = 0; step < kMaxCasts; ++step) {
    const auto writers = context.writers(context.tensor_of(input));
    if (writers.size() != 1) break;
    const LayerId maker = context.layer_of(writers[0]);
    const auto in = context.inputs(maker);
    if (!context.works(maker) || context.type(maker) != "Cast" || in.size() != 1 ||
        !model::is_float(context.type_of(in[0])) || !model::is_float(context.type_of(writers[0]))) {
      break;
    }
    casts.push_back(maker);
    input = in[0];
  }
  return input;
}

// A computed dequantizer writes what the port reads.
bool is_dequantized(const Context& context, PortRow input) {
  const auto writers = context.writers(context.tensor_of(input));
  if (writers.size() != 1) return false;
  const LayerId maker = context.layer_of(writers[0]);
  const auto in = context.inputs(maker);
  return context.works(maker) && context.type(maker) == "DequantizeLinear" && in.size() == 1 &&
         model::is_quantized(context.type_of(in[0]));
}

// What kernels dequantize for a float layer in every inference.
struct Expanded {
  Form form = Form::kNone;
  std::vector<LayerId> kernels;  // of its weights
  std::vector<LayerId> casts;    // between them and the layer
};

Expanded expanded_of(const Context& context, LayerId layer) {
  Expanded found;
  std::size_t dequantized = 0;
  for (const PortRow input : context.inputs(layer)) {
    std::vector<LayerId> casts;
    const PortRow first = before_casts(context, input, casts);
    if (const auto kernel = weight_kernel_before(context, first)) {
      found.kernels.push_back(kernel->layer);
      append_unique(found.casts, casts);
    }
    if (is_dequantized(context, first)) ++dequantized;
  }
  if (found.kernels.empty()) return found;
  found.form = dequantized > 0 ? Form::kPairs : Form::kWeights;
  return found;
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

// ONNX Runtime's DynamicQuantizeMatMul reads floats and computes in INT8.
bool quantizes_itself(const Context& context, LayerId layer) {
  return producer_of(context) == Producer::kOnnxRuntime &&
         model::is_quantized(context.model().layers.compute_precision[layer.index()]);
}

// Conversions between float and quantized types right next to the layer that disappear if it runs
// quantized. At the engine's edges the others stay: float from the caller is quantized, and what
// the caller reads in float is dequantized.
std::vector<LayerId> conversions_beside(const Context& context, LayerId layer) {
  std::vector<LayerId> found;
  const auto is_small_behind = [&](LayerId conversion) {
    const auto out = context.outputs(conversion);
    return !out.empty() && model::is_quantized(context.type_of(out[0]));
  };
  const auto add = [&](const Walk& walk, bool is_before) {
    for (const Reach& reach : walk.reaches) append_unique(found, reach.conversions);
    for (const LayerId conversion : walk.edge_conversions) {
      if (is_small_behind(conversion) != is_before) append_unique(found, {&conversion, 1});
    }
  };
  for (const PortRow port : context.inputs(layer)) {
    add(context.real_writers(context.tensor_of(port)), true);
  }
  for (const PortRow port : context.outputs(layer)) {
    add(context.real_readers(context.tensor_of(port)), false);
  }
  std::erase_if(found, [&](LayerId conversion) {
    const auto in = context.inputs(conversion), out = context.outputs(conversion);
    return in.empty() || out.empty() ||
           model::is_quantized(context.type_of(in[0])) ==
               model::is_quantized(context.type_of(out[0]));
  });
  return found;
}

// Used if the table of the engine's rules has no entry for it.
std::string_view fix_for(Form form) {
  switch (form) {
    case Form::kDynamic:
      return "Quantize statically, with calibrated scales in Q/DQ pairs, or use the float model: "
             "this engine undoes dynamic quantization";
    case Form::kNone:
    case Form::kOperator:
      return "Export the model with Q/DQ pairs instead of QOperator operations (in ONNX Runtime's "
             "quantizer: quant_format=QuantFormat.QDQ)";
    case Form::kPairs:
    case Form::kWeights:
      break;
  }
  return "See planex explain quantization, which names what keeps each layer in float";
}

// Layers that run in float for the same reason.
struct Group {
  const engines::EngineRule* rule = nullptr;  // null: the table has none
  bool is_likely = false;
  std::vector<LayerId> layers;
  std::map<Form, std::size_t> counts;
  UniqueList<LayerId> beside, expanding, casts;
};

const engines::EngineRule* rule_of(const std::optional<model::FallbackJudgement>& fallback) {
  return fallback ? engines::find_engine_rule(fallback->rule) : nullptr;
}

// By rule, in the order in which they were met.
class Groups {
 public:
  Group& of(const engines::EngineRule* rule) {
    const auto [entry, is_new] = places_.try_emplace(rule, groups_.size());
    if (is_new) groups_.emplace_back().rule = rule;
    return groups_[entry->second];
  }
  const std::vector<Group>& all() const { return groups_; }

 private:
  std::map<const engines::EngineRule*, std::size_t> places_;
  std::vector<Group> groups_;
};

// Whether only the weights of the layers are quantized: dequantizing them remains work, inside the
// product.
bool only_weights(const Group& group) {
  return std::ranges::all_of(group.counts,
                             [](const auto& one) { return one.first == Form::kWeights; });
}

std::string message_of(const Context& context, const Group& group, LayerId longest,
                       std::size_t requested) {
  const std::size_t count = group.layers.size();
  std::string text =
      format("{} that the model quantizes {} in {}",
             base::part_of_all(count, requested, "layer", "layers"), count == 1 ? "runs" : "run",
             model::to_string(context.type_of(context.inputs(longest)[0])));
  if (count > 1) text += ", and this is the longest";
  if (group.rule != nullptr) {
    text += format(": {}{}", group.is_likely ? "likely " : "", group.rule->because);
  }
  return text;
}

void report(const Context& context, const Group& group, std::size_t requested, FindingSink& sink) {
  const std::vector<LayerId>&conversions = group.beside.items(), &kernels = group.expanding.items();
  FindingDraft draft;
  draft.layer = *std::ranges::max_element(
      group.layers, {}, [&](LayerId layer) { return context.time_ms(layer).value_or(0); });
  draft.also_about = group.layers;
  const auto add_about = [&](const std::vector<LayerId>& more) {
    draft.also_about.insert(draft.also_about.end(), more.begin(), more.end());
  };
  add_about(group.casts.items());
  draft.message = message_of(context, group, draft.layer, requested);
  draft.evidence = conversions.empty() ? std::string("no conversions next to them")
                                       : format("conversions next to them: {}",
                                                listed_with_times(context, conversions));
  if (!kernels.empty()) {
    draft.evidence += format("; weights dequantized in every inference by {}",
                             listed_with_times(context, kernels));
  }
  if (only_weights(group)) {
    // Dequantizing remains work, inside the product. So the finding is about those kernels; how
    // much less time they take there was not measured.
    add_about(conversions);
    add_about(kernels);
    draft.estimate_method = "not known: a product that reads weights as stored expands them itself";
  } else {
    for (const LayerId conversion : conversions) draft.savings.push_back({conversion});
    if (group.rule != nullptr) {
      for (const LayerId kernel : kernels) draft.savings.push_back({kernel});
    }
    draft.estimate_method =
        draft.savings.empty()
            ? "not known: what quantized kernels would save"
            : "measured times of the conversions and of what dequantizes weights; what quantized "
              "kernels would save beyond that is not known";
  }
  draft.fix = group.rule != nullptr
                  ? group.rule->cure
                  : fix_for(std::ranges::max_element(group.counts, {}, [](const auto& one) {
                              return one.second;
                            })->first);
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  std::size_t requested = 0, in_float = 0;
  Groups groups;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || !context.is_matrix_layer(layer)) continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    // float-conv-of-quantized-weights reports these.
    if (is_tensorrt_rtx(context) && context.family(layer) == Family::kConvolution) continue;
    const auto fallback = context.fallback(layer);
    const engines::EngineRule* const rule = rule_of(fallback);
    const DType type = context.type_of(ends->in[0]);
    const bool is_quantized = model::is_quantized(type) || quantizes_itself(context, layer);
    const bool is_float = model::is_float(type) && !is_quantized;
    Form form = form_of(context, layer);
    Expanded found;
    if (is_float) found = expanded_of(context, layer);
    if (form == Form::kNone) form = found.form;
    if (form == Form::kNone && !is_float) {
      if (is_quantized) ++requested;  // it runs as the model asks
      continue;
    }
    if (form == Form::kNone && rule == nullptr) continue;
    ++requested;
    if (!is_float) continue;
    ++in_float;
    Group& group = groups.of(rule);
    group.is_likely = group.is_likely || (fallback && fallback->is_likely);
    ++group.counts[form];
    group.layers.push_back(layer);
    for (const LayerId kernel : found.kernels) group.expanding.add(kernel);
    for (const LayerId cast : found.casts) group.casts.add(cast);
    for (const LayerId conversion : conversions_beside(context, layer)) {
      group.beside.add(conversion);
    }
  }
  for (const Group& group : groups.all()) {
    if (group.rule == nullptr && 2 * in_float < requested) continue;
    report(context, group, requested, sink);
  }
}

}  // namespace
}  // namespace planex::lint::quantization_undone_rule

PLANEX_LINT_RULE(quantization_undone)
