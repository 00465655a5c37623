#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"

namespace planex::lint::weights_bound_product_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kDims, Need::kTypes};

constexpr RuleInfo kInfo = {
    .id = "weights-bound-product",
    .pack = Pack::kGeneric,
    .severity = Severity::kInfo,
    .summary =
        "a matrix product with at most four rows reads weights that are nearly all of the bytes it "
        "moves, and they are a tenth of the engine's weights or the layer takes 3 % of its time",
    .rationale =
        "Each weight is used at most four times, so the layer takes as long as its weights take to "
        "arrive: Tensor Cores and better kernels don't help, and up to a point a larger batch "
        "costs nothing",
    .fix =
        "Run several requests as one batch, or make the weights smaller (FP16, INT8, FP8, INT4 "
        "weight-only)",
    .needs = kNeeds,
    .source =
        "NVIDIA, Deep Learning Performance Guide: Linear/Fully-Connected Layers, arithmetic "
        "intensity",
    .evidence =
        "the weights' share of the bytes moved and of the engine's weights, operations per "
        "byte, and bytes per second",
    .estimate = "not known: it depends on which batch or type is possible",
    .action = ActionKind::kCaller};

constexpr std::int64_t kFewRows = 4;
constexpr double kNearlyAll = 0.9;
constexpr double kMinBytes = 1 << 20;
constexpr double kMinWeightShare = 0.1;
constexpr double kMinTimeShare = 0.03;

double all_weights(const Context& context) {
  double bytes = 0;
  const auto& layers = context.model().layers;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    if (context.works(LayerId(row))) {
      bytes += static_cast<double>(layers.weight_bytes.get(row).value_or(0));
    }
  }
  return bytes;
}

// Types that the engine's producer computes with. OpenVINO and ONNX Runtime expand FP16 weights
// when the model is loaded if the CPU does not compute in FP16, and FP8 weights on every CPU.
std::string_view smaller_types(const Context& context, double bits) {
  const bool is_wide = bits > 16;
  switch (producer_of(context)) {
    case Producer::kTensorRt:
    case Producer::kTensorRtRtx:
      return is_wide ? "FP16, INT8, FP8, or INT4 weight-only" : "INT8, FP8, or INT4 weight-only";
    default:
      return is_wide && has_half_kernels(context) ? "a 16-bit float, INT8, or INT4 weight-only"
                                                  : "INT8, or INT4 weight-only";
  }
}

void run(const Context& context, FindingSink& sink) {
  const double total_weights = all_weights(context);
  const double total_ms = context.total_ms().value_or(0);
  const auto& layers = context.model().layers;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || !context.is_matrix_layer(layer)) continue;
    const auto rows = layers.gemm_m.get(row);
    const auto weights = layers.weight_bytes.get(row);
    const auto moved = layers.footprint_bytes.get(row);
    if (!rows || !weights || !moved || *moved <= 0) {
      sink.could_not_judge("their sizes are not known");
      continue;
    }
    sink.looked_at();
    const auto bytes = static_cast<double>(*weights);
    const auto time = context.time_ms(layer);
    const bool matters = bytes >= kMinWeightShare * total_weights ||
                         (time && total_ms > 0 && *time >= kMinTimeShare * total_ms);
    if (*rows > kFewRows || bytes < kMinBytes || !matters ||
        bytes < kNearlyAll * static_cast<double>(*moved)) {
      continue;
    }
    FindingDraft draft;
    draft.layer = layer;
    draft.severity = Severity::kInfo;
    draft.message =
        format("a matrix product of {} is bound by reading {} of weights",
               base::counted(static_cast<std::size_t>(*rows), "row"), bytes_text(bytes));
    draft.evidence = format("{:.1f} % of the bytes it moves and {:.1f} % of the engine's weights",
                            100 * bytes / static_cast<double>(*moved), 100 * bytes / total_weights);
    if (const auto flops = layers.flops.get(row)) {
      draft.evidence += format(", {:.2g} operations per byte",
                               static_cast<double>(*flops) / static_cast<double>(*moved));
    }
    draft.evidence += format("; {}", time_text(context, layer));
    if (time && *time > 0) {
      draft.evidence += format(", so {}/s of weights", bytes_text(bytes / *time * 1000));
    }
    draft.estimate_method = "not known: it depends on which batch or type is possible";
    draft.fix = "Run several requests as one batch: it costs little more than one";
    // With weights in 8 bits or fewer, only a larger batch is left.
    const auto columns = layers.gemm_n.get(row), depth = layers.gemm_k.get(row);
    const double count =
        static_cast<double>(columns.value_or(0)) * static_cast<double>(depth.value_or(0));
    constexpr double kSmall = 9;  // with scales
    if (const double bits = count > 0 ? 8 * bytes / count : 32; bits > kSmall) {
      draft.fix += format("; or store the weights in a smaller type ({}), and check accuracy",
                          smaller_types(context, bits));
    }
    sink.add(std::move(draft));
  }
}

}  // namespace
}  // namespace planex::lint::weights_bound_product_rule

PLANEX_LINT_RULE(weights_bound_product)
