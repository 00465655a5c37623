#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"

namespace planex::lint::float32_on_bfloat16_cpu_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes};

constexpr RuleInfo kInfo = {
    .id = "float32-on-bfloat16-cpu",
    .pack = Pack::kOpenVino,
    .severity = Severity::kWarning,
    .summary =
        "all convolutions and matrix products run in FP32 on a CPU that has BF16 instructions",
    .rationale =
        "AMX and AVX-512 with BF16 do several times the work per clock in BF16, on half of the "
        "bytes. FP32 runs there only if it was requested",
    .fix =
        "Leave out ov::hint::inference_precision, or set it to bf16 (benchmark_app "
        "-infer_precision bf16), and check accuracy",
    .needs = kNeeds,
    .source =
        "Measured with OpenVINO 2026.4 on a CPU with AMX: ResNet-18 at batch 8 takes 81.6 ms in "
        "FP32 and 14.4 ms in BF16 (engines of the test data)",
    .evidence = "the CPU's instructions as the files name them, and the layers' share of the time",
    .estimate = "not known: it depends on the CPU; the finding quotes what measured pairs took",
    .action = ActionKind::kOption,
    .option = kHalfPrecisionOption};

// Weights in 4 or 8 bits are converted to float on the fly: that is what such a product spends its
// time on, and BF16 does not change it.
bool expands_weights(const Context& context, LayerId layer) {
  const model::RowRange ports = context.model().ports_of(layer);
  for (PortRow port = ports.first; port < ports.end(); ++port) {
    if (context.model().ports.direction[port] != model::Direction::kOutput &&
        model::is_quantized(context.type_of(port))) {
      return true;
    }
  }
  return false;
}

void run(const Context& context, FindingSink& sink) {
  std::size_t count = 0;
  double ms = 0, longest_ms = -1;
  LayerId longest;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || !context.is_matrix_layer(layer)) continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    if (context.type_of(ends->in[0]) != DType::kFp32) return;
    if (expands_weights(context, layer)) continue;
    ++count;
    const double time = context.time_ms(layer).value_or(0);
    ms += time;
    if (time > longest_ms) {
      longest_ms = time;
      longest = layer;
    }
  }
  if (count == 0) return;
  const std::string_view processor = bfloat16_evidence(context);
  if (processor.empty()) {
    sink.could_not_judge("the files do not record whether the CPU has BF16 instructions");
    return;
  }
  FindingDraft draft;
  draft.layer = longest;
  draft.message =
      format("{} {} in FP32{}",
             base::part_of_all(count, count, "convolution or matrix product",
                               "convolutions and matrix products"),
             count == 1 ? "runs" : "run", count == 1 ? "" : ", and this is the longest");
  draft.evidence = format("processor: {}", base::quoted(processor, 160));
  if (ms > 0) draft.evidence += format("; they take {}", share_text(context, ms));
  draft.estimate_method =
      "not known for this model: it depends on the CPU; in measured pairs, BF16 took 0.18 (AMX, "
      "ResNet-18 at batch 8) to 0.53 of the FP32 time";
  draft.fix =
      "Set ov::hint::inference_precision to bf16, or leave it out (benchmark_app -infer_precision "
      "bf16), and check accuracy";
  sink.add(std::move(draft));
}

}  // namespace
}  // namespace planex::lint::float32_on_bfloat16_cpu_rule

PLANEX_LINT_RULE(float32_on_bfloat16_cpu)
