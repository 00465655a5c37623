#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::pointwise_not_fused_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kDims};

constexpr RuleInfo kInfo = {
    .id = "pointwise-not-fused",
    .pack = Pack::kTensorRt,
    .severity = Severity::kWarning,
    .summary =
        "an activation, addition or scale runs as a layer of its own although it alone reads "
        "what a convolution or matrix product writes",
    .rationale =
        "In the epilogue of the kernel before it, it would cost almost nothing; alone it writes "
        "the tensor, reads it and writes it again. Where another layer reads the tensor too, "
        "where the addition broadcasts another activation, or where normalization stands between, "
        "it has to stand alone and the rule is silent",
    .fix =
        "Export it in a form the compiler fuses (Relu, Clip, or Sigmoid and Mul right behind the "
        "convolution; BatchNormalization folded into the weights), in a type and layout that its "
        "convolution writes",
    .needs = kNeeds,
    .source =
        "NVIDIA TensorRT Developer Guide, Layer Fusion; in the engines of the test data the "
        "same activations are fused behind other convolutions",
    .evidence = "what the layer reads and writes, its time, and the layer that it alone reads from",
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
  // A kernel that Myelin generated for activations and additions alone.
  if (context.type(layer) == "kgen") return has_only_sources(context, layer, kEpilogue);
  return context.type(layer) == "Scale" && !context.is_conversion(layer);
}

// Everything else that the layer reads is as large as its output (a residual) or a constant.
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

// Nobody but the way to `layer` reads any tensor from the writer's on.
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

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || !is_pointwise(context, layer)) continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    const auto epilogue = find_writer(context, layer, *ends);
    if (!epilogue) continue;
    FindingDraft draft;
    draft.layer = layer;
    draft.message = format("{} is not fused into the layer before it", context.type(layer));
    draft.evidence = format("{} → {}, {}; it alone reads what {} writes",
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
        "Clip, Sigmoid and Mul; a folded BatchNormalization), without a reshape or cast between",
        context.name(epilogue->writer.layer));
    sink.add(std::move(draft));
  }
}

}  // namespace
}  // namespace planex::lint::pointwise_not_fused_rule

PLANEX_LINT_RULE(pointwise_not_fused)
