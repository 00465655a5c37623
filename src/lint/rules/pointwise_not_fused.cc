#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"

namespace planex::lint::pointwise_not_fused_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "pointwise-not-fused",
    .pack = Pack::kTensorRt,
    .severity = Severity::kWarning,
    .summary =
        "an activation, addition or scale runs as a separate layer although it is the only reader "
        "of a convolution or matrix product",
    .rationale =
        "In the epilogue of the kernel before it, it would cost almost nothing; as a separate "
        "layer, the tensor is written, read and written again. The rule is silent if the layer has "
        "to be separate: another layer also reads the tensor, the addition broadcasts another "
        "activation, or a normalization is in between. If the model has a form right after the "
        "product that is fused elsewhere, the compiler has no kernel for it here: one note for all "
        "such layers, if they take 5 % of the time",
    .fix =
        "Export it in a form the compiler fuses (Relu, Clip, or Sigmoid and Mul right after the "
        "convolution; BatchNormalization folded into the weights), in a type and layout that its "
        "convolution writes",
    .needs = kNeeds,
    .source =
        "NVIDIA TensorRT Developer Guide, Layer Fusion; in the engines of the test data the same "
        "activations are fused after other convolutions",
    .evidence =
        "what the layer reads and writes, its time, and the layer before it, which nothing else "
        "reads",
    .estimate =
        "its measured time and that of conversions before it; in an epilogue it costs a small "
        "part of that",
    .depth = 3};

// Operations that a kernel applies to each element of its result before it writes it.
constexpr std::array<std::string_view, 12> kEpilogue = {
    "Relu",  "Clip", "Sigmoid", "HardSigmoid", "HardSwish", "LeakyRelu",
    "PRelu", "Elu",  "Tanh",    "Mul",         "Add",       "Gelu"};

bool is_pointwise(const Context& context, LayerId layer) {
  if (context.family(layer) == Family::kPointwise) return true;
  // For activations and additions alone.
  if (context.is_generated(layer)) return has_only_sources(context, layer, kEpilogue);
  return context.type(layer) == "Scale" && !context.is_conversion(layer);
}

// Every other input of the layer is as large as its output (a residual) or a constant.
bool could_be_epilogue(const Context& context, const Ends& ends, PortRow data) {
  const auto dims = without_ones(context.dims_of(ends.out[0]));
  for (const PortRow port : ends.in) {
    if (port != data && without_ones(context.dims_of(port)) != dims &&
        !context.writers(context.tensor_of(port)).empty()) {
      return false;
    }
  }
  return without_ones(context.dims_of(data)) == dims;
}

// Only the path to `layer` reads any tensor from the writer's on.
bool is_only_reader(const Context& context, const Reach& writer, LayerId layer) {
  const Walk readers = context.real_readers(context.tensor_of(writer.port));
  return !readers.ends_at_engine_edge && readers.reaches.size() == 1 &&
         readers.reaches.front().layer == layer;
}

struct Epilogue {
  Reach writer;
  PortRow data = 0;
};

std::optional<Epilogue> find_writer(const Context& context, LayerId layer, const Ends& ends) {
  constexpr std::size_t kMaxInputs = 8;  // an epilogue adds one tensor, or two
  if (ends.in.size() > kMaxInputs) return std::nullopt;
  for (const PortRow port : ends.in) {
    const Walk walk = context.real_writers(context.tensor_of(port));
    if (walk.reaches.size() != 1 || walk.ends_at_engine_edge) continue;
    const Reach& writer = walk.reaches.front();
    if (is_matrix_like(context, writer.layer) && could_be_epilogue(context, ends, port) &&
        is_only_reader(context, writer, layer)) {
      return Epilogue{writer, port};
    }
  }
  return std::nullopt;
}

// "/block.1/Sigmoid_2" -> "Sigmoid": exporters name operations after their types.
std::string_view operation_word(std::string_view name) {
  name = name.substr(name.rfind('/') + 1);
  const std::size_t end = name.find_last_not_of("0123456789");
  if (end != name.npos && end + 1 < name.size() && name[end] == '_') name = name.substr(0, end);
  return name;
}

// An activation or an addition right after the product, in a form that TensorRT fuses elsewhere: it
// is not the exporter's fault that TensorRT has no such kernel here.
bool is_as_it_should(const Context& context, LayerId layer, const Reach& writer) {
  for (const LayerId conversion : writer.conversions) {
    if (context.works(conversion)) return false;
  }
  const model::RowRange sources = context.model().sources_of(layer);
  for (std::size_t row = sources.first; row < sources.end(); ++row) {
    const std::string_view type = context.model().text(context.model().sources.op_type[row]);
    const std::string_view word =
        type.empty() ? operation_word(context.model().text(context.model().sources.op_name[row]))
                     : type;
    if (std::ranges::find(kEpilogue, word) == kEpilogue.end()) return false;
  }
  return sources.count > 0;
}

// The total cost of those layers after products whose fusion nothing in the export prevents: worth
// an experiment only if it is large.
void report_unfusible(const Context& context, std::span<const LayerId> layers, FindingSink& sink) {
  constexpr double kMinShare = 0.05;
  double ms = 0;
  for (const LayerId layer : layers) ms += context.time_ms(layer).value_or(0);
  if (!(ms > 0) || ms < kMinShare * context.total_ms().value_or(0)) return;
  FindingDraft draft;
  draft.layer = layers.front();
  draft.severity = Severity::kInfo;
  draft.message =
      format("{} after convolutions and matrix products {} not fused into them",
             base::counted(layers.size(), "activation"), layers.size() == 1 ? "is" : "are");
  draft.evidence =
      format("{}; together {}", listed_with_times(context, layers), share_text(context, ms));
  for (const LayerId layer : layers) draft.savings.push_back({layer});
  draft.estimate_method =
      "measured times of the layers; in an epilogue they cost a small part of that";
  draft.fix =
      "Try a newer version of the compiler, which fuses their form elsewhere, or another "
      "activation (Relu instead of a clamp or of Sigmoid and Mul), which requires retraining";
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  std::vector<LayerId> unfusible;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || !is_pointwise(context, layer)) continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    const auto epilogue = find_writer(context, layer, *ends);
    if (!epilogue) continue;
    if (is_as_it_should(context, layer, epilogue->writer)) {
      unfusible.push_back(layer);
      continue;
    }
    FindingDraft draft;
    draft.layer = layer;
    draft.message = format("{} is not fused into the layer before it", context.type(layer));
    draft.evidence = format("{} → {}, {}; it is the only reader of what {} writes",
                            context.port_text(epilogue->data), context.port_text(ends->out[0]),
                            time_text(context, layer), context.name(epilogue->writer.layer));
    draft.savings = {{layer}};
    for (const LayerId conversion : epilogue->writer.conversions) {
      draft.savings.push_back({conversion});
      draft.evidence +=
          format("; through {} {}", context.name(conversion), time_text(context, conversion));
    }
    draft.estimate_method =
        "measured time of the layer and of the conversions before it; in the epilogue it costs a "
        "small part of that";
    draft.fix = format(
        "Export it so that it follows {} directly as an operation the compiler fuses there (Relu, "
        "Clip, Sigmoid and Mul; a folded BatchNormalization), without a reshape or cast in between",
        context.name(epilogue->writer.layer));
    sink.add(std::move(draft));
  }
  if (!unfusible.empty()) report_unfusible(context, unfusible, sink);
}

}  // namespace
}  // namespace planex::lint::pointwise_not_fused_rule

PLANEX_LINT_RULE(pointwise_not_fused)
