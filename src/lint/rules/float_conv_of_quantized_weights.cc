#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::float_conv_of_quantized_weights_rule {
namespace {

using base::format;
using model::Direction;

constexpr std::array kNeeds = {Need::kTypes};

constexpr RuleInfo kInfo = {
    .id = "float-conv-of-quantized-weights",
    .pack = Pack::kTensorRtRtx,
    .severity = Severity::kWarning,
    .summary =
        "a convolution computes in float, and a kernel dequantizes its quantized weights at every "
        "inference",
    .rationale =
        "TensorRT-RTX takes INT8 and FP8 in matrix products only: behind Q/DQ a convolution stays "
        "float. Its weights are stored small, but each inference writes them out as floats before "
        "it reads them, and its input is rounded without being made smaller: the cost of "
        "quantization, in time and in accuracy, without its gain",
    .fix =
        "Build for TensorRT-RTX from the FP16 model, with Q/DQ on its matrix products at most; "
        "keep the Q/DQ model for TensorRT, which has INT8 convolutions",
    .needs = kNeeds,
    .source =
        "Seen in every convolution of three ResNet-18 models with Q/DQ, TensorRT-RTX 1.7.1, on "
        "all targets tried",
    .evidence =
        "the quantized weights, the kernel that makes floats of them, and the bytes it reads "
        "and writes at every inference",
    .estimate = "that kernel's measured time"};

// A kernel that makes floats of quantized constants.
struct Dequantizer {
  LayerId layer;
  PortRow constant = 0, out = 0;
};

std::optional<Dequantizer> dequantizer_of(const Context& context, PortRow input) {
  const auto writers = context.writers(context.tensor_of(input));
  if (writers.size() != 1) return std::nullopt;
  const PortRow out = writers[0];
  const LayerId layer = context.layer_of(out);
  if (!context.works(layer) || !context.inputs(layer).empty() ||
      !model::is_float(context.type_of(out))) {
    return std::nullopt;
  }
  const model::RowRange ports = context.model().ports_of(layer);
  for (PortRow port = ports.first; port < ports.end(); ++port) {
    if (context.model().ports.direction[port] != Direction::kOutput &&
        model::is_quantized(context.type_of(port))) {
      return Dequantizer{layer, port, out};
    }
  }
  return std::nullopt;
}

std::string moved_bytes(const Context& context, const Dequantizer& kernel) {
  const auto read = port_bytes(context, kernel.constant);
  const auto written = port_bytes(context, kernel.out);
  if (!read || !written) return {};
  return format(", {} read and {} written at every inference", bytes_text(*read),
                bytes_text(*written));
}

void judge(const Context& context, LayerId layer, const Dequantizer& kernel, PortRow data,
           FindingSink& sink) {
  const std::string_view dtype = model::to_string(context.type_of(data));
  FindingDraft draft;
  draft.layer = layer;
  draft.message = format("convolution computes in {} although the model has its weights in {}",
                         dtype, model::to_string(context.type_of(kernel.constant)));
  draft.evidence = format("weights {} → {} by {}{}; convolution reads {}, {}",
                          context.port_text(kernel.constant), context.port_text(kernel.out),
                          context.name(kernel.layer), moved_bytes(context, kernel),
                          context.port_text(data), time_text(context, layer));
  draft.savings = {{kernel.layer}};
  draft.estimate_method =
      "measured time of the kernel that dequantizes the weights; what a convolution in FP16 saves "
      "beyond it is not known";
  draft.fix = format(
      "Take the Q/DQ pairs off the input and the weights of {} and build it in FP16 (the engine's "
      "types are those of the model), or build this model with TensorRT, whose convolutions take "
      "INT8",
      context.name(layer));
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || context.family(layer) != Family::kConvolution) continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends || !model::is_float(context.type_of(ends->in[0]))) continue;
    for (const PortRow input : ends->in) {
      if (const auto kernel = dequantizer_of(context, input)) {
        const PortRow data =
            input == ends->in[0] && ends->in.size() > 1 ? ends->in[1] : ends->in[0];
        judge(context, layer, *kernel, data, sink);
        break;
      }
    }
  }
}

}  // namespace
}  // namespace planex::lint::float_conv_of_quantized_weights_rule

PLANEX_LINT_RULE(float_conv_of_quantized_weights)
