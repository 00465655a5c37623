#include <array>

#include "base/numbers.h"
#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"

namespace planex::lint::float32_rest_of_quantized_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes};

constexpr RuleInfo kInfo = {
    .id = "float32-rest-of-quantized",
    .pack = Pack::kTensorRt,
    .severity = Severity::kWarning,
    .summary =
        "convolutions and matrix products without Q/DQ compute in FP32 in an engine whose others "
        "are quantized, and none of them runs in FP16 or BF16",
    .rationale =
        "Layers that are not quantized run in FP32 unless FP16 is allowed: TensorRT before 11 "
        "allows it by a flag, a strongly typed network by the types of the model. A detector whose "
        "backbone is INT8 then spends half of its time in an FP32 head, and can be slower than the "
        "FP16 engine",
    .fix =
        "Build with --fp16 in addition to --int8, or cast what is left in FP32 (planex cast MODEL "
        "--to fp16 keeps the Q/DQ pairs); for a strongly typed network, and for TensorRT 11, only "
        "the cast works. FP16 rounding changes results: check accuracy",
    .needs = kNeeds,
    .source =
        "ultralytics issues 26159 and 26167 (17.6 and 18.3 % less latency with TensorRT 10.13 and "
        "11.2), NVIDIA/TensorRT issues 550 and 1862, pytorch/TensorRT issue 93",
    .evidence = "how many layers are quantized, which are in FP32, and their times",
    .estimate =
        "not known: it depends on the kernels; the finding quotes what FP16 saved in recorded "
        "pairs of engines",
    .action = ActionKind::kOption,
    .option = kHalfPrecisionOption};

// The share of the FP32 time that FP16 takes in ResNet-18 and ResNet-50 of the test data.
constexpr double kMinRatio = 0.34, kMaxRatio = 0.48;
// Share of the layer time: less is not worth another build.
constexpr double kMinShare = 0.05;
// The first version whose builder always takes the types of the model.
constexpr int kFirstStronglyTyped = 11;

// "6 convolutions", "1 matrix product".
std::string counted_products(std::size_t convolutions, std::size_t products) {
  if (products == 0) return base::counted(convolutions, "convolution");
  if (convolutions == 0) return base::counted(products, "matrix product");
  return format("{} convolutions and matrix products", convolutions + products);
}

// Only the model can change the types: no flag does.
bool is_strongly_typed(const Context& context) {
  const model::PlanModel& model = context.model();
  if (is_tensorrt_rtx(context)) return true;
  const auto version = base::leading_number<int>(model.text(model.engine.producer_version[0]));
  if (version && *version >= kFirstStronglyTyped) return true;
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    const std::string_view value = model.text(model.metadata.value[row]);
    if (value.find("--stronglyTyped") != value.npos) return true;
    if (base::contains_ignoring_case(model.text(model.metadata.key[row]), "strongly typed") &&
        base::contains_ignoring_case(value, "enabled")) {
      return true;
    }
  }
  return false;
}

struct Rest {
  std::size_t convolutions = 0, products = 0, quantized = 0, measured = 0;
  double ms = 0, longest_ms = -1;
  LayerId longest;
  std::vector<LayerId> layers;
};

// Null if a layer runs in FP16 or BF16: then the type was allowed, and not used elsewhere.
std::optional<Rest> rest_of(const Context& context, FindingSink& sink) {
  Rest rest;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || !context.is_matrix_layer(layer)) continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    const DType type = context.type_of(ends->in[0]);
    if (model::is_quantized(type)) {
      ++rest.quantized;
      continue;
    }
    // It has Q/DQ; another rule says why it is float.
    const auto expands = [&](PortRow in) { return weight_kernel_before(context, in).has_value(); };
    if (std::ranges::any_of(ends->in, expands)) continue;
    if (type != DType::kFp32 && type != DType::kTf32) return std::nullopt;
    ++(context.family(layer) == Family::kConvolution ? rest.convolutions : rest.products);
    rest.layers.push_back(layer);
    const auto time = context.time_ms(layer);
    rest.measured += time.has_value();
    rest.ms += time.value_or(0);
    if (time.value_or(0) > rest.longest_ms) {
      rest.longest_ms = time.value_or(0);
      rest.longest = layer;
    }
  }
  return rest;
}

void run(const Context& context, FindingSink& sink) {
  const auto rest = rest_of(context, sink);
  if (!rest || rest->quantized == 0 || rest->layers.empty()) return;
  const double total = context.total_ms().value_or(0);
  const bool is_timed = rest->measured == rest->layers.size() && total > 0 && rest->ms > 0;
  if (is_timed && rest->ms < kMinShare * total) return;
  FindingDraft draft;
  draft.layer = rest->longest;
  draft.also_about = rest->layers;
  draft.severity = is_timed ? Severity::kWarning : Severity::kInfo;
  const std::size_t count = rest->layers.size();
  draft.message = counted_products(rest->convolutions, rest->products);
  if (is_timed)
    draft.message += format(", {:.3g} ms ({:.0f} %),", rest->ms, 100 * rest->ms / total);
  draft.message += format(" {} in FP32 in an engine that is otherwise quantized",
                          count == 1 ? "computes" : "compute");
  std::vector<std::string> names;
  for (const LayerId layer : rest->layers) {
    names.push_back(format("{} {}", context.name(layer), time_text(context, layer)));
  }
  draft.evidence = format("{} of {} quantized, none in FP16 or BF16; in FP32: {}", rest->quantized,
                          base::counted(rest->quantized + count, "convolution or matrix product",
                                        "convolutions and matrix products"),
                          listed(names));
  draft.estimate_method = format(
      "not proven for this engine: in recorded pairs of engines, FP16 takes {:.2f} to {:.2f} of "
      "the FP32 time",
      kMinRatio, kMaxRatio);
  if (is_timed) {
    draft.estimate_method += format("; at that ratio, this engine saves {:.2f} to {:.2f} ms",
                                    rest->ms * (1 - kMaxRatio), rest->ms * (1 - kMinRatio));
  }
  draft.fix = format(
      "{}planex cast MODEL --to fp16 -o OUT.onnx, which keeps the Q/DQ pairs, and build from the "
      "result; FP16 rounding changes results: check accuracy",
      is_strongly_typed(context) ? "" : "Build with --fp16 in addition to --int8; or run ");
  if (is_strongly_typed(context)) draft.fix = "Cast the rest of the model: " + draft.fix;
  sink.add(std::move(draft));
}

}  // namespace
}  // namespace planex::lint::float32_rest_of_quantized_rule

PLANEX_LINT_RULE(float32_rest_of_quantized)
