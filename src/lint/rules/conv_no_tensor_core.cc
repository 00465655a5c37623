#include <array>
#include <compare>
#include <optional>
#include <set>

#include "base/text.h"
#include "lint/layer_facts.h"

namespace planex::lint::conv_no_tensor_core_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kTactics, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "conv-no-tensor-core",
    .pack = Pack::kTensorRt,
    .severity = Severity::kWarning,
    .summary = "a reduced-precision convolution runs on a kernel without Tensor Cores",
    .rationale =
        "FP16, BF16, FP8 and INT8 are worth their loss of accuracy if Tensor Cores compute them; "
        "ordinary cores gain only a fraction of that. The rule is silent where nothing can be "
        "done: depthwise and grouped convolutions have too few channels per group, a vector times "
        "a matrix is bound by its weights (weights-bound-product), and the first layer's channels "
        "are the input's. It is also silent if other layers of the engine run on Tensor Cores "
        "between the same types and layouts: the builder then timed such kernels and chose this "
        "one",
    .fix =
        "Give the layer channel counts that Tensor Core kernels accept (multiples of 16 for INT8 "
        "and FP8, of 8 for FP16 and BF16; INT8 kernels also need 32 or more), or run it in FP16, "
        "where such kernels exist for fewer channels",
    .needs = kNeeds,
    .source =
        "NVIDIA, Deep Learning Performance Guide: Convolutional Layers; kernel names of the "
        "engines in the test data",
    .evidence = "types and shapes of input and output, the kernel's name, the layer's time",
    .estimate = "none: it depends on the kernels that the compiler has for another shape",
    .depth = 2};

std::int64_t channels(const Context& context, PortRow port) {
  const auto dims = context.dims_of(port);
  return dims.size() > 1 ? dims[1] : 0;
}

// Batch and output positions are all 1: the convolution is a matrix times a vector.
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

// What a convolution reads and writes: one kernel fits all convolutions with the same ends.
struct Ends {
  DType in_type, out_type;
  model::Layout in_layout, out_layout;

  friend auto operator<=>(const Ends&, const Ends&) = default;
};

// Null if a layout is not known.
std::optional<Ends> ends_of(const Context& context, LayerId layer) {
  const auto in = context.inputs(layer), out = context.outputs(layer);
  if (in.empty() || out.empty()) return std::nullopt;
  const auto& layouts = context.model().ports.layout;
  const Ends ends{.in_type = context.type_of(in[0]),
                  .out_type = context.type_of(out[0]),
                  .in_layout = layouts[in[0]],
                  .out_layout = layouts[out[0]]};
  const bool is_known =
      ends.in_layout.order != model::Order::kNull && ends.out_layout.order != model::Order::kNull;
  return is_known ? std::optional(ends) : std::nullopt;
}

// The ends of the engine's layers that run on Tensor Cores: such kernels exist for these tensors,
// and the builder timed them wherever it chose another one.
std::set<Ends> ends_on_tensor_cores(const Context& context) {
  std::set<Ends> found;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    if (context.family(LayerId(row)) != Family::kConvolution ||
        context.model().layers.tensor_cores.get(row).value_or(0) == 0) {
      continue;
    }
    if (const auto ends = ends_of(context, LayerId(row))) found.insert(*ends);
  }
  return found;
}

// TensorRT's INT8 Tensor Core kernels read channels in vectors of 32 (NC/32HW32).
constexpr std::int64_t kFewChannels = 32;
// Those of FP16, in vectors of 8.
constexpr std::int64_t kHalfVector = 8;

// Tensor Core kernels need whole vectors of the type on both sides; a neighbor that writes another
// type prevents them.
std::string neighbour_fix(const Context& context, PortRow in, PortRow out) {
  for (const Reach& writer : context.real_writers(context.tensor_of(in)).reaches) {
    if (context.is_matrix_layer(writer.layer) &&
        context.type_of(writer.port) != context.type_of(in)) {
      return format(
          "Let {} write {} itself: it writes {}, and the conversion after it chooses the layout {} "
          "that this kernel reads",
          context.name(writer.layer), model::to_string(context.type_of(in)),
          model::to_string(context.type_of(writer.port)),
          model::to_string(context.model().ports.layout[in]));
    }
  }
  return format(
      "Build with more workspace (--memPoolSize=workspace:…) and a newer version, and check "
      "whether the layer then runs on Tensor Cores; with {} → {}, try it in FP16",
      context.port_text(in), context.port_text(out));
}

void judge(const Context& context, LayerId layer, std::string_view kernel,
           const std::set<Ends>& on_tensor_cores, FindingSink& sink) {
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
        "Make its {} output channels a multiple of 16 if they are not, and let it write INT8 or "
        "FP16 rather than the type of the engine's output",
        out_channels);
  } else if (const auto ends = ends_of(context, layer); ends && on_tensor_cores.contains(*ends)) {
    return;
  } else {
    draft.fix = neighbour_fix(context, in[0], out[0]);
  }
  sink.add(std::move(draft));
}

void run(const Context& context, FindingSink& sink) {
  const std::set<Ends> on_tensor_cores = ends_on_tensor_cores(context);
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
    // FP32 that runs as TF32 shows in its kernel; FP32 that does not was requested.
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
    judge(context, layer, tactic.empty() ? implementation : tactic, on_tensor_cores, sink);
  }
}

}  // namespace
}  // namespace planex::lint::conv_no_tensor_core_rule

PLANEX_LINT_RULE(conv_no_tensor_core)
