#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"

namespace planex::lint::transpose_as_a_layer_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "transpose-as-a-layer",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary = "a layer only transposes a tensor",
    .rationale =
        "It moves every element. At the input it usually means that a model with NHWC inputs was "
        "exported for engines whose tensors are NCHW; inside, that a reader can't use the tensor "
        "as it was written. The rule is silent for transposes that split off and join the heads of "
        "an attention, and for those that ONNX Runtime itself puts around its INT8 convolutions, "
        "because no other export avoids them. It is also silent for tensors of five and more "
        "dimensions that are cut into windows or whose channels are shuffled",
    .fix =
        "At the input, export with the other order and let the caller pass the tensor in that "
        "order; inside, move the transpose next to one that it cancels, or into the weights",
    .needs = kNeeds,
    .source =
        "ResNet-50 of Keras in TensorRT 8.4 and a transformer in OpenVINO 2026.4 (engines of "
        "the test data)",
    .evidence = "shapes on both sides, the layer's time, and the layers that write and read it",
    .estimate = "the layer's measured time"};

// The same sizes in another order; ones don't count, because moving them moves nothing.
bool transposes(std::span<const std::int64_t> in, std::span<const std::int64_t> out) {
  auto from = without_ones(in);
  auto to = without_ones(out);
  if (from == to || from.size() != to.size()) return false;
  std::ranges::sort(from);
  std::ranges::sort(to);
  return from == to;
}

// [N,H,W,C] → [N,C,H,W].
bool is_from_channels_last(std::span<const std::int64_t> in, std::span<const std::int64_t> out) {
  return in.size() == 4 && out.size() == 4 && in[0] == out[0] && in[3] == out[1] &&
         in[1] == out[2] && in[2] == out[3];
}

// [N,C,H,W] → [N,H,W,C].
bool is_to_channels_last(std::span<const std::int64_t> in, std::span<const std::int64_t> out) {
  return is_from_channels_last(out, in);
}

// Five dimensions or more, other than the channels of a volume: windows that an image is cut into,
// channels that are shuffled, pixels that become channels. The model consists of that, and no
// export avoids the move.
bool rearranges(std::span<const std::int64_t> from, std::span<const std::int64_t> to) {
  if (from.size() < 5) return false;
  const auto rotates = [&](std::span<const std::int64_t> in, std::span<const std::int64_t> out) {
    return in.size() == 5 && in[0] == out[0] && in[4] == out[1] && in[1] == out[2] &&
           in[2] == out[3] && in[3] == out[4];
  };
  return !rotates(from, to) && !rotates(to, from);
}

bool any_convolution(const Context& context, const Walk& walk) {
  return std::ranges::any_of(walk.reaches, [&](const Reach& reach) {
    return context.family(reach.layer) == Family::kConvolution ||
           context.family(reach.layer) == Family::kPool;
  });
}

// ONNX Runtime puts transposes around its INT8 convolutions, which need channels last. A model has
// no such transposes: its convolutions take channels first.
bool is_engines_own(const Context& context, std::span<const std::int64_t> in,
                    std::span<const std::int64_t> out, const Walk& writers, const Walk& readers) {
  if (producer_of(context) != Producer::kOnnxRuntime) return false;
  return (is_to_channels_last(in, out) && any_convolution(context, readers)) ||
         (is_from_channels_last(in, out) && any_convolution(context, writers));
}

// OpenVINO fuses it into one layer, and names the operations in it without their types.
bool has_softmax(const Context& context, LayerId layer) {
  const model::PlanModel& model = context.model();
  const model::RowRange sources = model.sources_of(layer);
  for (std::size_t row = sources.first; row < sources.end(); ++row) {
    if (model.text(model.sources.op_type[row]) == "Softmax" ||
        base::contains_ignoring_case(model.text(model.sources.op_name[row]), "softmax")) {
      return true;
    }
  }
  return false;
}

// Next to an attention: transposes split off and join the heads in every form of it.
bool is_of_attention(const Context& context, const Walk& writers, const Walk& readers) {
  const auto is_part = [&](const Reach& reach) {
    return (context.family(reach.layer) == Family::kGemm &&
            context.inputs(reach.layer).size() >= 2) ||
           has_softmax(context, reach.layer) ||
           context.type(reach.layer) == "ScaledDotProductAttention";
  };
  return std::ranges::any_of(writers.reaches, is_part) ||
         std::ranges::any_of(readers.reaches, is_part);
}

bool is_candidate(const Context& context, LayerId layer) {
  for (const std::string_view type : {"Shuffle", "Transpose"}) {
    if (context.type(layer) == type) return true;
  }
  return false;
}

// tf2onnx names operations after Keras' layers: "StatefulPartitionedCall/resnet50/conv1/Conv2D".
bool is_from_keras(const Context& context) {
  const model::PlanModel& model = context.model();
  const auto tells = [](std::string_view name) {
    for (const std::string_view word :
         {"StatefulPartitionedCall", "Conv2D__", "/Conv2D", "BiasAdd", "__transpose", "keras"}) {
      if (name.find(word) != std::string_view::npos) return true;
    }
    return false;
  };
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    if (tells(model.text(model.layers.name[row]))) return true;
  }
  return false;
}

struct Turn {
  LayerId back;                  // the transpose that undoes it
  std::vector<LayerId> between;  // elementwise operations on one tensor and constants
};

// OpenVINO joins such operations into a Subgraph, which may contain others as well.
bool is_by_element(const Context& context, LayerId layer) {
  constexpr std::array<std::string_view, 15> kByElement = {
      "Add",       "Sub",  "Mul", "Div",  "Relu",  "LeakyRelu", "Clip", "Sigmoid",
      "HardSwish", "Tanh", "Elu", "Sqrt", "PRelu", "Pow",       "Erf"};
  return context.family(layer) == Family::kPointwise ||
         has_only_sources(context, layer, kByElement);
}

// Elementwise operations can just as well run in the other order.
std::optional<Turn> turned_back(const Context& context, PortRow in, PortRow out) {
  constexpr std::size_t kMaxSteps = 8;
  Turn turn;
  TensorId tensor = context.tensor_of(out);
  for (std::size_t step = 0; step < kMaxSteps; ++step) {
    const Walk readers = context.real_readers(tensor);
    if (readers.reaches.size() != 1 || readers.ends_at_engine_edge) return std::nullopt;
    const LayerId layer = readers.reaches[0].layer;
    const auto written = context.outputs(layer);
    if (written.size() != 1) return std::nullopt;
    const auto dims = context.dims_of(written[0]);
    if (is_candidate(context, layer) && std::ranges::equal(dims, context.dims_of(in))) {
      turn.back = layer;
      return turn;
    }
    std::size_t data = 0;
    for (const PortRow port : context.inputs(layer)) {
      data += context.is_constant(context.tensor_of(port)) ? 0U : 1U;
    }
    if (!is_by_element(context, layer) || data != 1 ||
        !std::ranges::equal(dims, context.dims_of(out))) {
      return std::nullopt;
    }
    turn.between.push_back(layer);
    tensor = context.tensor_of(written[0]);
  }
  return std::nullopt;
}

void say_pair(const Context& context, LayerId layer, const Turn& turn, FindingDraft& draft) {
  draft.message += format("; {} reverses it", context.name(turn.back));
  draft.savings.push_back({turn.back});
  draft.estimate_method = "measured times of both";
  std::vector<std::string> between;
  for (const LayerId one : turn.between) between.push_back(context.name(one));
  draft.fix =
      format("Remove {} and {} from the model", context.name(layer), context.name(turn.back));
  if (!between.empty()) {
    draft.fix +=
        format(": {} between them can work on the tensor as it is, with constants in that order",
               listed(between));
  }
}

void run(const Context& context, FindingSink& sink) {
  std::optional<bool> keras;  // computed when first needed
  std::vector<bool> is_told(context.layer_count());
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer)) continue;
    if (context.is_matrix_layer(layer)) sink.looked_at();
    if (!is_candidate(context, layer) || is_told[row]) continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    const auto& [in, out] = *ends;
    if (!transposes(context.dims_of(in[0]), context.dims_of(out[0]))) continue;
    const Walk writers = context.real_writers(context.tensor_of(in[0]));
    const Walk readers = context.real_readers(context.tensor_of(out[0]));
    const auto from = context.dims_of(in[0]), to = context.dims_of(out[0]);
    if (is_engines_own(context, from, to, writers, readers)) continue;
    const bool is_inside = !writers.reaches.empty() && !readers.reaches.empty();
    if (is_inside && !is_from_channels_last(from, to) &&
        is_of_attention(context, writers, readers)) {
      continue;
    }
    if (is_inside && rearranges(from, to)) continue;
    FindingDraft draft;
    draft.layer = layer;
    draft.message = format("{} only transposes, {} → {}", context.type(layer),
                           dims_text(context.dims_of(in[0])), dims_text(context.dims_of(out[0])));
    draft.evidence = format("{} → {}, {}; written by {}, read by {}", context.port_text(in[0]),
                            context.port_text(out[0]), time_text(context, layer),
                            names_or(context, writers, "the engine's input"),
                            names_or(context, readers, "the engine's output"));
    draft.savings = {{layer}};
    draft.estimate_method = "measured time of the layer";
    if (!keras) keras = is_from_keras(context);
    const bool is_keras = *keras;
    // Only where the order of all axes is known to be undone: channels moved last and first again.
    std::optional<Turn> turn;
    if (is_to_channels_last(from, to) || is_from_channels_last(from, to)) {
      turn = turned_back(context, in[0], out[0]);
    }
    if (turn) {
      is_told[turn->back.index()] = true;
      say_pair(context, layer, *turn, draft);
    } else if (writers.reaches.empty()) {
      draft.message += "; it is at the engine's input";
      draft.fix =
          format("Export the model with {} as its input{} and let the caller pass it in that order",
                 dims_text(context.dims_of(out[0])), is_keras ? " (tf2onnx --inputs-as-nchw)" : "");
    } else if (readers.reaches.empty()) {
      draft.message += "; it is at the engine's output";
      draft.fix =
          format("Export the model with {} as its output{}", dims_text(context.dims_of(in[0])),
                 is_keras ? " (tf2onnx --outputs-as-nchw)" : "");
    } else if (is_from_channels_last(context.dims_of(in[0]), context.dims_of(out[0]))) {
      draft.fix = format("Export the model in NCHW from its input on{}, so that {} writes {}",
                         is_keras ? " (tf2onnx --inputs-as-nchw)" : "",
                         names_or(context, writers, ""), dims_text(context.dims_of(out[0])));
    } else {
      draft.fix = format(
          "Check whether {} can read the tensor as {} writes it, or whether the transpose can move "
          "next to one that it cancels",
          names_or(context, readers, ""), names_or(context, writers, ""));
    }
    sink.add(std::move(draft));
  }
}

}  // namespace
}  // namespace planex::lint::transpose_as_a_layer_rule

PLANEX_LINT_RULE(transpose_as_a_layer)
