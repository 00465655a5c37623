#include <algorithm>
#include <array>

#include "base/text.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"

namespace planex::lint::quantizer_kernel_alone_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "quantizer-kernel-alone",
    .pack = Pack::kTensorRtRtx,
    .severity = Severity::kWarning,
    .summary = "a generated kernel (kgen) only quantizes or dequantizes an activation",
    .rationale =
        "Myelin puts a quantizer into the kernel that computes its input, together with the "
        "activation and the addition before it. A separate one reads and writes a whole tensor: "
        "either the layer before it is not a kernel that it can join (a convolution, pooling, the "
        "engine's input), or its reader needs the float again",
    .fix =
        "Move the Q/DQ pair to where a pointwise operation writes the tensor, or remove it if no "
        "reader computes in the small type; the caller can quantize an engine's input",
    .needs = kNeeds,
    .source = "Kernel names and source operations of TensorRT-RTX 1.7.1 builds",
    .evidence =
        "types and shapes on both sides, the kernel's time, and the layers that write and read it",
    .estimate = "the kernel's measured time",
    .depth = 4,
    .command = kAdviseCommand};

constexpr std::array<std::string_view, 2> kPair = {"QuantizeLinear", "DequantizeLinear"};

// One position of an image, as in a squeeze-and-excitation block.
bool is_one_position(std::span<const std::int64_t> dims) {
  return dims.size() >= 3 &&
         std::ranges::all_of(dims.subspan(2), [](std::int64_t size) { return size == 1; });
}

void run(const Context& context, FindingSink& sink) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || !context.is_generated(layer) ||
        !has_only_sources(context, layer, kPair)) {
      continue;
    }
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    const auto& [in, out] = *ends;
    const DType from = context.type_of(in[0]);
    const DType to = context.type_of(out[0]);
    if (model::is_quantized(from) == model::is_quantized(to)) continue;
    const bool quantizes = model::is_quantized(to);
    const Walk writers = context.real_writers(context.tensor_of(in[0]));
    const Walk readers = context.real_readers(context.tensor_of(out[0]));
    FindingDraft draft;
    draft.layer = layer;
    draft.message = format("a kernel only {}, {}", quantizes ? "quantizes" : "dequantizes",
                           conversion_text(from, to));
    draft.evidence = format("{} → {}, {}; written by {}, read by {}", context.port_text(in[0]),
                            context.port_text(out[0]), time_text(context, layer),
                            names_or(context, writers, "the engine's input"),
                            names_or(context, readers, "the engine's output"));
    draft.savings = {{layer}};
    draft.estimate_method = "measured time of the kernel";
    if (writers.reaches.empty()) {
      draft.severity = Severity::kInfo;
      draft.message += "; it is at the engine's input";
      draft.action = ActionKind::kCaller;
      draft.fix = caller_quantizes_fix(context, in[0], to);
    } else if (quantizes && is_one_position(context.dims_of(out[0])) && !readers.reaches.empty()) {
      draft.fix = format(
          "Leave {} in float, without Q/DQ on its inputs: it computes only one position, and the "
          "quantizer before it is one more kernel",
          names_or(context, readers, ""));
    } else if (quantizes) {
      draft.fix = format(
          "Put the Q/DQ pair where a pointwise kernel writes the tensor: such a kernel absorbs the "
          "quantizer, which {} does not; if nothing after it computes in {}, remove the pair",
          names_or(context, writers, ""), model::to_string(to));
    } else {
      draft.fix = format("Remove the Q/DQ pair before {}, which reads {} either way",
                         names_or(context, readers, "the engine's output"), model::to_string(to));
    }
    sink.add(std::move(draft));
  }
}

}  // namespace
}  // namespace planex::lint::quantizer_kernel_alone_rule

PLANEX_LINT_RULE(quantizer_kernel_alone)
