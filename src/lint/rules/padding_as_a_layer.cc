#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::padding_as_a_layer_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "padding-as-a-layer",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary = "a layer only pads a tensor",
    .rationale =
        "It copies the whole tensor to put a border around it, although convolutions and pooling "
        "can pad while they read. Models from Keras have such layers: ZeroPadding2D before a layer "
        "with 'valid' padding. Only a border of zeros can move there: the rule is silent for a "
        "reflected or repeated edge, and if a layer other than a convolution or pooling reads the "
        "result",
    .fix =
        "Fold the Pad into the next layer (its attribute pads). This is exact before a convolution "
        "if the border is zero, before a max pooling if no value is below zero either, as after a "
        "ReLU, and before an average pooling that counts its padding",
    .needs = kNeeds,
    .source =
        "ResNet-50 of Keras in TensorRT 8.4 (engines of the test data); ONNX operators Conv and "
        "MaxPool, attribute pads",
    .evidence = "types, shapes and layouts on both sides, the layer's time and its readers",
    .estimate = "the layer's measured time: padding inside the next layer is nearly free"};

bool pads(std::span<const std::int64_t> in, std::span<const std::int64_t> out) {
  if (in.size() != out.size() || in.empty()) return false;
  bool grows = false;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i] <= 0 || out[i] < in[i]) return false;
    grows = grows || out[i] > in[i];
  }
  return grows;
}

bool is_candidate(const Context& context, LayerId layer) {
  // TensorRT writes a Pad as a Slice that begins before the tensor does.
  for (const std::string_view type : {"Slice", "Padding", "Pad"}) {
    if (context.type(layer) == type) return true;
  }
  return false;
}

enum class Border : std::uint8_t { kZeros, kOther, kUnknown };

// Names of the model's Pad operations, by whether they pad with a constant.
struct Pads {
  std::set<std::string_view> constant, other;
};

Pads pads_of(const model::PlanModel& model) {
  Pads pads;
  for (std::size_t row = 0; row < model.operations.row_count(); ++row) {
    if (model.text(model.operations.type[row]) != "Pad") continue;
    const std::string_view parameters = model.text(model.operations.parameters[row]);
    // "constant" is what the operator does without the attribute.
    const bool is_constant = parameters.find("\"reflect\"") == parameters.npos &&
                             parameters.find("\"edge\"") == parameters.npos &&
                             parameters.find("\"wrap\"") == parameters.npos;
    (is_constant ? pads.constant : pads.other).insert(model.text(model.operations.name[row]));
  }
  return pads;
}

// From the layer's own record, or from the model's operation: zeros, or something that no
// convolution pads with.
Border border_of(const Context& context, LayerId layer, const Pads& pads) {
  const model::PlanModel& model = context.model();
  const std::string mode = base::lower(model.attribute(layer, "Mode"));
  if (!mode.empty() && mode.find("fill") == mode.npos) return Border::kOther;
  // Max pooling pads with this; no convolution does.
  if (model.attribute(layer, "negativeInfinityPadding") == "1") return Border::kOther;
  Border border = mode.empty() ? Border::kUnknown : Border::kZeros;
  const auto judge = [&](std::string_view name) {
    if (pads.other.contains(name)) border = Border::kOther;
    if (border == Border::kUnknown && pads.constant.contains(name)) border = Border::kZeros;
  };
  judge(model.text(model.layers.name[layer.index()]));
  const model::RowRange sources = model.sources_of(layer);
  for (std::size_t row = sources.first; row < sources.end(); ++row) {
    judge(model.text(model.sources.op_name[row]));
  }
  return border;
}

bool pads_itself(const Context& context, LayerId layer) {
  return is_matrix_like(context, layer) ? context.family(layer) != Family::kGemm
                                        : context.family(layer) == Family::kPool;
}

// Whether all of them are convolutions or poolings: otherwise the padded tensor has to be written
// anyway.
bool can_all_pad(const Context& context, const Walk& readers) {
  return !readers.ends_at_engine_edge && !readers.reaches.empty() &&
         std::ranges::all_of(readers.reaches,
                             [&](const Reach& reach) { return pads_itself(context, reach.layer); });
}

// When the border can move into each kind of reader without changing a result.
std::string condition(const Context& context, const Walk& readers, Border border) {
  bool any_pool = false;
  for (const Reach& reach : readers.reaches) {
    any_pool = any_pool || context.family(reach.layer) == Family::kPool;
  }
  std::vector<std::string_view> conditions;
  if (border == Border::kUnknown) {
    conditions.emplace_back("the Pad's mode is constant, its value 0");
  }
  if (any_pool) {
    conditions.emplace_back(
        "no value is below zero before a max pooling, or an average pooling counts its padding");
  }
  if (conditions.empty()) return "; the results stay the same where the border's value is 0";
  return format("; the results stay the same only where {}", fmt::join(conditions, ", and "));
}

void run(const Context& context, FindingSink& sink) {
  const Pads in_model = pads_of(context.model());
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer)) continue;
    if (context.is_matrix_layer(layer) || context.family(layer) == Family::kPool) sink.looked_at();
    if (!is_candidate(context, layer)) continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    const auto& [in, out] = *ends;
    if (!pads(context.dims_of(in[0]), context.dims_of(out[0]))) continue;
    const Walk readers = context.real_readers(context.tensor_of(out[0]));
    const Border border = border_of(context, layer, in_model);
    if (border == Border::kOther || !can_all_pad(context, readers)) continue;
    const std::string reader = names_or(context, readers, "");
    FindingDraft draft;
    draft.layer = layer;
    draft.message = format("padding runs as a layer, {} → {}", dims_text(context.dims_of(in[0])),
                           dims_text(context.dims_of(out[0])));
    draft.evidence = format("{} → {}, {}; read by {}", context.port_text(in[0]),
                            context.port_text(out[0]), time_text(context, layer), reader);
    draft.savings = {{layer}};
    draft.estimate_method =
        "measured time of the layer: padding inside the next layer is nearly free";
    // A border of unknown values may be one that no layer can pad with.
    if (border == Border::kUnknown) draft.severity = Severity::kInfo;
    draft.fix =
        format("Move the border into the pads attribute of {}, and drop the Pad from the model{}",
               reader, condition(context, readers, border));
    sink.add(std::move(draft));
  }
}

}  // namespace
}  // namespace planex::lint::padding_as_a_layer_rule

PLANEX_LINT_RULE(padding_as_a_layer)
