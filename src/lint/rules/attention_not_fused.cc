#include <array>

#include "base/text.h"
#include "lint/advice.h"
#include "lint/layer_facts.h"

namespace planex::lint::attention_not_fused_rule {
namespace {

using base::format;

constexpr std::array kNeeds = {Need::kTypes, Need::kLinks};

constexpr RuleInfo kInfo = {
    .id = "attention-not-fused",
    .pack = Pack::kGeneric,
    .severity = Severity::kWarning,
    .summary =
        "the two matrix products and the softmax of an attention block run as separate layers",
    .rationale =
        "A fused attention kernel keeps the scores on the chip. As separate layers, the first "
        "product writes the scores to memory, the softmax reads and writes them, and the second "
        "product reads them again. Their size grows with the square of the sequence length",
    .fix =
        "Run attention in FP16 or BF16, for which compilers have fused kernels, and export it in "
        "the plain form (scaled_dot_product_attention: a softmax over the last axis), with no "
        "operations in between and no other readers of the scores. For ONNX Runtime on a CPU, "
        "export it as one Attention operation (opset 23)",
    .needs = kNeeds,
    .source =
        "Measured with TensorRT-RTX 1.7.1: a 2-layer transformer gets the fused kernel "
        "(_gemm_mha_v2) in FP16 and three kernels per attention in FP32",
    .evidence = "the three layers with their times, and the size of the scores between them",
    .estimate = "the softmax's measured time; a fused kernel computes it along the way"};

bool is_softmax(const Context& context, LayerId layer) {
  return context.type(layer) == "SoftMax" || context.type(layer) == "Softmax" ||
         has_source(context, layer, "Softmax");
}

// A product of two activations: neither side is weights.
bool is_product_of_activations(const Context& context, LayerId layer) {
  return context.family(layer) == Family::kGemm && context.inputs(layer).size() >= 2;
}

const Reach* find_product(const Context& context, const Walk& walk) {
  for (const Reach& reach : walk.reaches) {
    if (is_product_of_activations(context, reach.layer)) return &reach;
  }
  return nullptr;
}

bool has_quantizers(const Context& context) {
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    if (context.type(LayerId(row)) == "QuantizeLinear") return true;
  }
  return false;
}

std::string fix_of(const Context& context, DType dtype, bool quantized, const Reach& first,
                   const Reach& second) {
  const Producer producer = producer_of(context);
  const bool is_gpu = producer == Producer::kTensorRt || producer == Producer::kTensorRtRtx;
  if (producer == Producer::kOnnxRuntime) {
    // Measured: docs/reference/evidence.md. With int8 pairs, ONNX Runtime's own conversion to uint8
    // writes a wrong output_dtype, an attribute that operations have from opset 21 on.
    return format(
        "Export everything from {} to {}, with the transposes around it, as one Attention "
        "operation (opset 23): ONNX Runtime did not fuse it when it loaded the model{}",
        context.name(first.layer), context.name(second.layer),
        quantized ? "; keep the Q/DQ of activations in uint8, because ONNX Runtime 1.32 may fail "
                    "to load int8 ones from opset 21 on"
                  : "");
  }
  if (is_gpu && dtype == DType::kFp32) {
    return format(
        "Run {} and {} in FP16 or BF16: cast their inputs, or export the model in that type; "
        "compilers have fused attention kernels for it",
        context.name(first.layer), context.name(second.layer));
  }
  if (producer == Producer::kOpenVino) {
    return format(
        "Export everything from {} to {} in the plain form: query times transposed key, a softmax "
        "over the last axis, times value, with no other reader of the scores; OpenVINO fuses that "
        "into one layer",
        context.name(first.layer), context.name(second.layer));
  }
  return format(
      "Check the operations between {} and {}: a mask, a scale or a transpose that is not where "
      "the plain form has it prevents the fusion",
      context.name(first.layer), context.name(second.layer));
}

void run(const Context& context, FindingSink& sink) {
  std::optional<bool> quantized;  // computed when first needed
  for (std::size_t row = 0; row < context.layer_count(); ++row) {
    const LayerId layer(row);
    if (!context.works(layer) || context.is_matrix_layer(layer) || !is_softmax(context, layer)) {
      continue;
    }
    const auto ends = typed_ends(context, layer, sink);
    if (!ends) continue;
    const auto& [in, out] = *ends;
    const Walk writers = context.real_writers(context.tensor_of(in[0]));
    const Walk readers = context.real_readers(context.tensor_of(out[0]));
    const Reach* first = find_product(context, writers);
    const Reach* second = find_product(context, readers);
    if (first == nullptr || second == nullptr) continue;
    const DType dtype = context.type_of(in[0]);
    FindingDraft draft;
    draft.layer = layer;
    draft.message = format("attention runs in {} as separate layers", model::to_string(dtype));
    draft.evidence =
        format("{} {}, {} {}, {} {}", context.name(first->layer), time_text(context, first->layer),
               context.name(layer), time_text(context, layer), context.name(second->layer),
               time_text(context, second->layer));
    const auto written = port_bytes(context, in[0]);
    const auto rewritten = port_bytes(context, out[0]);
    if (written && rewritten) {
      draft.evidence +=
          format("; scores {}: {} written and read between them", dims_text(context.dims_of(in[0])),
                 bytes_text(*written + *rewritten));
    }
    draft.savings = {{layer}};
    draft.estimate_method =
        "measured time of the softmax, which a fused kernel computes along the way; gains in the "
        "matrix products are not counted";
    if (!quantized) quantized = has_quantizers(context);
    draft.fix = fix_of(context, dtype, *quantized, *first, *second);
    sink.add(std::move(draft));
  }
}

}  // namespace
}  // namespace planex::lint::attention_not_fused_rule

PLANEX_LINT_RULE(attention_not_fused)
