#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::group_norm_in_pieces_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "group-norm-in-pieces",
    .pack = Pack::kTensorRt,
    .severity = Severity::kWarning,
    .summary =
        "group normalization runs as an InstanceNormalization plus a separate layer for scale and "
        "bias; one finding per engine",
    .rationale =
        "Exporters before opset 18 write GroupNorm as Reshape, InstanceNormalization, Reshape, Mul "
        "and Add. The plugin that computes the middle part needs NCHW, and scale, bias and the "
        "activation after them pass over the tensor again; one kernel does all of it in one pass",
    .fix =
        "Export GroupNormalization as one operation (opset 18 or later) for TensorRT 10, which has "
        "its own normalization layer, or replace the pieces with a GroupNorm plugin",
    .needs = kNeeds,
    .source =
        "TensorRT 8.6 engine of ControlNet in the test data; ONNX operator GroupNormalization; "
        "NVIDIA TensorRT API, INormalizationLayer",
    .evidence = "the pieces and their times",
    .estimate =
        "the measured times of the scale and of the activation after it, which one kernel computes "
        "along the way"};

// The pieces repeat: two examples are enough.
constexpr std::size_t kMaxShown = 2;

bool is_instance_norm(const Context& context, LayerId layer) {
  if (has_source(context, layer, "InstanceNormalization")) return true;
  const std::string_view name = context.model().text(context.model().layers.name[layer.index()]);
  return context.family(layer) == Family::kPlugin &&
         name.find("InstanceNormalization") != std::string_view::npos;
}

// The only layer after an output, through no-ops; null if there are more, or if the engine ends
// there.
LayerId only_follower(const Context& context, PortRow out) {
  const Walk readers = context.real_readers(context.tensor_of(out));
  if (readers.ends_at_engine_edge || readers.reaches.size() != 1) return {};
  return readers.reaches.front().layer;
}

struct Pieces {
  LayerId norm, scale;
  LayerId activation;  // null: none
  std::int64_t channels = 0, groups = 0;
};

std::optional<Pieces> pieces_of(const Context& context, LayerId layer, FindingSink& sink) {
  const auto ends = typed_ends(context, layer, sink);
  if (!ends) return std::nullopt;
  const LayerId scale = only_follower(context, ends->out[0]);
  if (scale.is_null() || context.type(scale) != "Scale") return std::nullopt;
  const auto scale_out = context.outputs(scale);
  if (scale_out.empty()) return std::nullopt;
  const auto groups = context.dims_of(ends->in[0]);
  const auto channels = context.dims_of(scale_out[0]);
  // Each group is a separate instance: fewer "channels" than the tensor has.
  if (groups.size() < 2 || channels.size() < 2 || groups[1] >= channels[1]) return std::nullopt;
  Pieces pieces{.norm = layer, .scale = scale, .channels = channels[1], .groups = groups[1]};
  const LayerId activation = only_follower(context, scale_out[0]);
  if (!activation.is_null() && context.family(activation) == Family::kPointwise) {
    pieces.activation = activation;
  }
  return pieces;
}

bool is_one_in_model(const Context& context) {
  const model::PlanModel& model = context.model();
  for (std::size_t row = 0; row < model.operations.row_count(); ++row) {
    if (model.text(model.operations.type[row]) == "GroupNormalization") return true;
  }
  for (std::size_t row = 0; row < model.sources.row_count(); ++row) {
    if (model.text(model.sources.op_type[row]) == "GroupNormalization") return true;
  }
  return false;
}

void report(const Context& context, std::span<const Pieces> all, FindingSink& sink) {
  const Pieces& first = all.front();
  FindingDraft draft;
  draft.layer = first.norm;
  draft.message = all.size() == 1
                      ? format("group normalization of {} channels in {} groups runs in pieces",
                               first.channels, first.groups)
                      : format("{} group normalizations run in pieces", all.size());
  std::vector<std::string> texts;
  for (const Pieces& pieces : all) {
    std::string text =
        format("{} {}, then {} {}", context.name(pieces.norm), time_text(context, pieces.norm),
               context.name(pieces.scale), time_text(context, pieces.scale));
    draft.also_about.push_back(pieces.norm);
    draft.savings.push_back({pieces.scale});
    if (!pieces.activation.is_null()) {
      draft.savings.push_back({pieces.activation});
      text += format(", then {} {}", context.name(pieces.activation),
                     time_text(context, pieces.activation));
    }
    texts.push_back(std::move(text));
  }
  draft.evidence = format(
      "{}",
      fmt::join(std::span(texts).first(std::min<std::size_t>(texts.size(), kMaxShown)), "; "));
  if (texts.size() > kMaxShown) draft.evidence += format("; and {} more", texts.size() - kMaxShown);
  draft.estimate_method =
      "measured times of the scales and of the activations after them, which one kernel computes "
      "in the same pass as the normalization";
  draft.fix = is_one_in_model(context)
                  ? "The model already has GroupNormalization as one operation, and the compiler "
                    "splits it: try TensorRT 10 or later, which has its own normalization layer, "
                    "or use a GroupNorm plugin instead"
                  : "Export GroupNormalization as one operation (opset 18 or later; TensorRT 10 "
                    "computes it natively), or replace the pieces with a GroupNorm plugin";
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  std::vector<Pieces> all;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer)) continue;
    if (context.family(layer) == Family::kNorm) sink.looked_at();
    if (!is_instance_norm(context, layer)) continue;
    if (const auto pieces = pieces_of(context, layer, sink)) all.push_back(*pieces);
  }
  if (!all.empty()) report(context, all, sink);
}

}  // namespace
}  // namespace planex::lint::group_norm_in_pieces_rule

PLANEX_LINT_RULE(group_norm_in_pieces)
