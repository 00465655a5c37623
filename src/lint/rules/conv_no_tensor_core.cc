#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::conv_no_tensor_core_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kTactics};

constexpr RuleInfo kInfo = {
    .id = "conv-no-tensor-core",
    .pack = Pack::kTensorRt,
    .severity = Severity::kWarning,
    .summary =
        "a convolution of reduced precision runs on a kernel without Tensor Core "
        "instructions",
    .rationale =
        "FP16, BF16, FP8 and INT8 are worth their loss of accuracy where Tensor Cores compute "
        "them; on ordinary cores they bring a fraction of that. The rule is silent where nothing "
        "can be done: depthwise and grouped convolutions have too few channels per group, one "
        "vector times a matrix is bound by its weights (weights-bound-product), and the first "
        "layer's channels are the input's",
    .fix =
        "Give the layer channels that Tensor Core kernels take (multiples of 16 for INT8 and "
        "FP8, of 8 for FP16 and BF16; INT8 kernels also want 32 or more), or let it run in "
        "FP16, where such kernels exist for fewer channels",
    .needs = kNeeds,
    .source =
        "NVIDIA, Deep Learning Performance Guide: Convolutional Layers; kernel names of the "
        "engines in the test data",
    .evidence = "types and shapes of input and output, the kernel's name, the layer's time",
    .estimate = "none: it depends on the kernels that the compiler has for another shape"};

std::int64_t channels(const Context& context, PortRow port) {
  const auto dims = context.dims_of(port);
  return dims.size() > 1 ? dims[1] : 0;
}

// Batch and output positions are all one: the convolution is a matrix times a vector.
bool is_matrix_vector(std::span<const std::int64_t> out_dims) {
  if (out_dims.size() < 2) return false;
  for (std::size_t i = 0; i < out_dims.size(); ++i) {
    if (i != 1 && out_dims[i] != 1) return false;
  }
  return true;
}

bool has_groups(const Context& context, LayerId layer) {
  const std::string_view groups = context.model().attribute(layer, "Groups");
  return !groups.empty() && groups != "1";
}

// TensorRT's INT8 Tensor Core kernels read channels in vectors of 32 (NC/32HW32).
constexpr std::int64_t kFewChannels = 32;
// Those of FP16, in vectors of 8.
constexpr std::int64_t kHalfVector = 8;

void judge(const Context& context, LayerId layer, std::string_view kernel, FindingSink& sink) {
  const auto in = context.inputs(layer);
  const auto out = context.outputs(layer);
  if (in.empty() || out.empty()) return;
  if (has_groups(context, layer) || is_first_product(context, layer) ||
      base::contains_ignoring_case(kernel, "gemv") || is_matrix_vector(context.dims_of(out[0]))) {
    return;
  }
  const std::int64_t in_channels = channels(context, in[0]);
  const std::int64_t out_channels = channels(context, out[0]);
  const std::string_view dtype = model::to_string(context.type_of(in[0]));
  FindingDraft draft;
  draft.layer = layer;
  draft.evidence =
      format("kernel {}, {} → {}, {}", base::quoted(kernel, 200), context.port_text(in[0]),
             context.port_text(out[0]), time_text(context, layer));
  draft.message =
      format("convolution in {} runs on a kernel without Tensor Core instructions", dtype);
  draft.estimate_method = "not known: it depends on the kernels the compiler has for another shape";
  const bool is_small = model::is_quantized(context.type_of(in[0]));
  const std::int64_t vector = is_small ? kFewChannels : kHalfVector;
  if (in_channels > 0 && in_channels < kFewChannels && in_channels % vector != 0) {
    draft.message += format("; it has few input channels ({})", in_channels);
    draft.fix = format("Pad {} from {} to {} channels (weights with zeros)",
                       context.name(context.tensor_of(in[0])), in_channels,
                       (in_channels + vector - 1) / vector * vector);
    if (is_small) {
      draft.fix += context.is_calibrated() ? ", or let this layer run in FP16"
                                           : ", or leave this layer in FP16: remove the Q/DQ pair "
                                             "before it";
    }
  } else if (is_last_product(context, layer)) {
    draft.severity = Severity::kInfo;
    draft.message += "; it is a head of the network";
    draft.fix = format(
        "Make its {} output channels a multiple of 16 if they are not, and let it "
        "write INT8 or FP16 rather than what the engine's output asks for",
        out_channels);
  } else {
    draft.fix = format(
        "Check what ties the layer to this kernel: its {} input and {} output "
        "channels, the type its neighbours want, or too small a workspace; an FP16 "
        "kernel may be faster than this one",
        in_channels, out_channels);
  }
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || context.family(layer) != Family::kConvolution) continue;
    const auto in = context.inputs(layer);
    if (in.empty()) continue;
    const DType dtype = context.type_of(in[0]);
    if (dtype == DType::kNull) {
      sink.could_not_judge("the type of the input is not known");
      continue;
    }
    // FP32 that runs as TF32 is seen by its kernel; FP32 that does not was asked for.
    if (dtype == DType::kFp32 || dtype == DType::kFp64) continue;
    const std::string_view tactic = context.model().text(context.model().layers.tactic[row]);
    const std::string_view implementation =
        context.model().text(context.model().layers.subtype[row]);
    const auto tensor_cores = context.model().layers.tensor_cores.get(row);
    if (!tensor_cores) {
      sink.could_not_judge(tactic.empty() ? "the file does not record their kernels"
                                          : "the names of their kernels do not show it");
      continue;
    }
    sink.looked_at();
    if (*tensor_cores != 0) continue;
    judge(context, layer, tactic.empty() ? implementation : tactic, sink);
  }
}

}  // namespace
}  // namespace planex::lint::conv_no_tensor_core_rule

PLANEX_LINT_RULE(conv_no_tensor_core)
