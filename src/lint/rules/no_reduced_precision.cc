#include <array>

#include "base/numbers.h"
#include "base/text.h"
#include "lint/layer_facts.h"
#include "lint/quantization.h"

namespace planex::lint::no_reduced_precision_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes};

constexpr RuleInfo kInfo = {
    .id = "no-reduced-precision",
    .pack = Pack::kTensorRt,
    .severity = Severity::kWarning,
    .summary =
        "all convolutions and matrix products run in FP32 although the device has Tensor Cores",
    .rationale =
        "Tensor Cores do twice the work in FP16 or BF16 that they do in TF32, and four times in "
        "INT8 or FP8, on half or a quarter of the bytes. An engine that is entirely in FP32 was "
        "usually built without the flag, or from a model that was exported in FP32",
    .fix =
        "Build with --fp16 or --bf16, or export the model in FP16 where the network is strongly "
        "typed (TensorRT-RTX always is); check accuracy, then consider INT8 or FP8 with Q/DQ",
    .needs = kNeeds,
    .source =
        "NVIDIA TensorRT Developer Guide, Mixed Precision; ResNet-18 at batch 32 on an A100 takes "
        "2.12 ms in FP32 with TF32, 1.02 ms in FP16 and 0.67 ms in INT8 (engines of the test "
        "data)",
    .evidence =
        "how many layers run on TF32 kernels, how it is known that the device has Tensor "
        "Cores, and their share of the time",
    .estimate = "not known: it depends on the kernels",
    .action = ActionKind::kOption,
    .option = kHalfPrecisionOption};

constexpr double kFirstWithTensorCores = 7.0;  // compute capability of Volta

struct Count {
  std::size_t layers = 0, tensor_core_layers = 0;
  std::size_t known_kernels = 0;  // layers whose kernel is known
  double ms = 0;
  // Sums over all of them; doubles, because they are only compared.
  double macs = 0, weight_bytes = 0;
  bool are_sizes_known = true;
  LayerId largest;  // by time, else by MACs, else the first
};

// Includes a generated kernel (kgen) around one, if its sources say so.
bool is_product(const Context& context, LayerId layer) {
  if (context.is_matrix_layer(layer)) return true;
  if (context.family(layer) != Family::kOpaque) return false;
  for (const std::string_view type : {"Conv", "ConvTranspose", "MatMul", "Gemm"}) {
    if (has_source(context, layer, type)) return true;
  }
  return false;
}

// Whether the device has Tensor Cores, as far as the files say, and how that is known.
std::string device_evidence(const Context& context, const Count& count) {
  if (count.tensor_core_layers > 0) return "other kernels of this engine use TF32 on them";
  const std::string_view capability = metadata(context, "Compute Capability");
  const auto value = base::leading_number<double>(capability);
  if (value && *value >= kFirstWithTensorCores) {
    return format("compute capability {}", base::quoted(capability, 20));
  }
  if (is_tensorrt_rtx(context)) return "TensorRT-RTX runs on Turing and later";
  return {};
}

// What the build was allowed to use, according to its log and its command.
struct Allowed {
  bool reduced = false;  // FP16 or BF16 in addition to FP32
  bool strongly_typed = false;
};

bool has_word(std::string_view text, std::string_view word) {
  constexpr std::string_view kEnds = " \t+=";
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || kEnds.find(text[at - 1]) != kEnds.npos;
    if (begins && (end == text.size() || kEnds.find(text[end]) != kEnds.npos)) return true;
  }
  return false;
}

Allowed allowed_by_build(const Context& context) {
  Allowed allowed;
  const model::MetadataTable& table = context.model().metadata;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::string_view section = context.model().text(table.section[row]);
    const std::string_view value = context.model().text(table.value[row]);
    if (section == "build_options" && context.model().text(table.key[row]) == "Precision") {
      allowed.reduced = allowed.reduced || has_word(value, "FP16") || has_word(value, "BF16");
      allowed.strongly_typed = allowed.strongly_typed || value == "Strongly Typed";
    } else if (section == "command") {
      for (const std::string_view option : {"--fp16", "--bf16", "--best", "--half"}) {
        allowed.reduced = allowed.reduced || has_word(value, option);
      }
      allowed.strongly_typed = allowed.strongly_typed || has_word(value, "--stronglyTyped");
    }
  }
  return allowed;
}

std::string_view fix_of(const Context& context, const Allowed& allowed) {
  if (is_tensorrt_rtx(context)) {
    return "Export the model in FP16 or BF16: the engine's types are those of the model";
  }
  if (allowed.strongly_typed) {
    return "Export the model in FP16 or BF16, because the network is strongly typed; then check "
           "accuracy";
  }
  return "Build with --fp16 (or --bf16) or, if the network is strongly typed, export the model in "
         "FP16; then check accuracy";
}

// Less time than any kernel takes to start: neither the products nor their weights are worth
// another type.
bool is_tiny(const Count& count) {
  constexpr double kFewMacs = 500'000;
  constexpr double kFewBytes = 1 << 20;
  return count.are_sizes_known && count.macs < kFewMacs && count.weight_bytes < kFewBytes;
}

void run(const Context& context, FindingSink& sink) {
  const Allowed allowed = allowed_by_build(context);
  // The builder also timed kernels of those types and chose FP32.
  if (allowed.reduced) return;
  Count count;
  double largest_ms = -1;
  std::int64_t largest_macs = -1;
  const auto& layers = context.model().layers;
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || !is_product(context, layer)) continue;
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    const DType dtype = context.type_of(ends->in[0]);
    if (dtype != DType::kFp32 && dtype != DType::kTf32) return;
    ++count.layers;
    if (layers.tensor_cores.get(row).value_or(0) == 1) ++count.tensor_core_layers;
    if (!layers.tensor_cores.is_null(row)) ++count.known_kernels;
    const double ms = context.time_ms(layer).value_or(0);
    const std::int64_t macs = layers.macs.get(row).value_or(0);
    count.ms += ms;
    count.are_sizes_known = count.are_sizes_known && !layers.macs.is_null(row);
    count.macs += static_cast<double>(macs);
    count.weight_bytes += static_cast<double>(layers.weight_bytes.get(row).value_or(0));
    if (ms > largest_ms || (ms == largest_ms && macs > largest_macs)) {
      largest_ms = ms;
      largest_macs = macs;
      count.largest = layer;
    }
  }
  if (count.layers == 0 || is_tiny(count)) return;
  const std::string device = device_evidence(context, count);
  if (device.empty()) {
    sink.could_not_judge("the files do not record whether the device has Tensor Cores");
    return;
  }
  FindingDraft draft;
  draft.layer = count.largest;
  draft.severity = count.ms > 0 ? Severity::kWarning : Severity::kInfo;
  draft.message =
      format("{} {} in FP32{}",
             base::part_of_all(count.layers, count.layers, "convolution or matrix product",
                               "convolutions and matrix products"),
             count.layers == 1 ? "runs" : "run",
             count.layers == 1 ? ""
             : count.ms > 0    ? ", and this is the longest"
                               : ", and this is the largest");
  if (count.known_kernels > 0) {
    draft.evidence =
        format("{} of {}{} on TF32 kernels; ", count.tensor_core_layers, count.known_kernels,
               count.known_kernels < count.layers ? " whose kernel is known" : "");
  }
  draft.evidence += format("Tensor Cores: {}", device);
  if (count.ms > 0) draft.evidence += format("; they take {}", share_text(context, count.ms));
  draft.estimate_method =
      "not known: it depends on the kernels; in the engines of the test data, FP16 takes 0.34 to "
      "0.48 of the FP32 time";
  draft.fix = fix_of(context, allowed);
  sink.add(std::move(draft));
}

}  // namespace
}  // namespace planex::lint::no_reduced_precision_rule

PLANEX_LINT_RULE(no_reduced_precision)
