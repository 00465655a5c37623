#include "render/words/quantization_sentences.h"

#include "base/text.h"
#include "render/words/explain_names.h"
#include "render/words/numbers.h"

namespace planex::render {
namespace {

using analyze::FallbackReason;
using analyze::LayerTotals;
using analyze::QuantizationEvidence;
using analyze::QuantizationExplanation;
using analyze::QuantizationForm;
using analyze::QuantizationVerdict;
using base::counted;
using base::format;

// ", 0.123 ms, 4.5 % of Σ layers"; empty where nothing was measured.
std::string cost_text(const LayerTotals& totals) {
  std::string text;
  if (totals.time_ms) text += format(", {} ms", ms_text(*totals.time_ms));
  if (totals.share) text += format(", {} of Σ layers", percent_text(*totals.share));
  return text;
}

std::string conversions_text(const LayerTotals& conversions) {
  if (conversions.count == 0) return "; nothing is converted between float and quantized types";
  return format("; {} between float and quantized types{}",
                counted(conversions.count, "conversion"), cost_text(conversions));
}

// "it reads INT8 and its quantizer writes UINT8: …", or what the rule says about every such layer.
std::string engine_rule_text(const analyze::QuantizationRow& row) {
  if (row.rule == nullptr) return {};
  if (row.rule->condition == engines::Condition::kEqualTypes) {
    return format("it reads {} and its quantizer writes {}: {} fuses equal types only",
                  model::to_string(row.read_type), model::to_string(row.written_type),
                  row.rule->version.substr(0, row.rule->version.rfind(' ')));
  }
  return format("{}{}", row.is_likely ? "probably " : "", row.rule->because);
}

std::string kernels_text(std::size_t count) {
  return count == 1 ? "1 kernel converts" : format("{} kernels convert", count);
}

std::string_view source_text(QuantizationEvidence evidence) {
  switch (evidence) {
    case QuantizationEvidence::kModel:
      return "from the model's file";
    case QuantizationEvidence::kSources:
      return "from names of operations in the engine";
    case QuantizationEvidence::kTypes:
      return "from the types of the engine's tensors";
    case QuantizationEvidence::kNone:
      break;
  }
  return {};
}

// Names alone: what they show of quantization, and what they do not.
std::string unknown_headline(const QuantizationExplanation& explanation) {
  std::string text;
  if (explanation.form == QuantizationForm::kNone) {
    text = "whether anything in this engine is quantized is unknown";
  } else if (explanation.named_quantizer_count > 0 &&
             explanation.evidence == QuantizationEvidence::kSources) {
    text = format(
        "the names show {}, so parts of this engine are quantized; names alone do not say which",
        counted(explanation.named_quantizer_count, "quantizer"));
  } else {
    text = "the model asks for quantization; whether the engine runs it quantized is unknown";
  }
  if (explanation.quantizers.count > 0) {
    text += format("; {} {} of {} own{}", counted(explanation.quantizers.count, "quantizer"),
                   explanation.quantizers.count == 1 ? "is a layer" : "are layers",
                   explanation.quantizers.count == 1 ? "its" : "their",
                   cost_text(explanation.quantizers));
  }
  return text + (explanation.types_known
                     ? "; the types of convolutions and matrix products are not in the files"
                     : "; the files record no types");
}

}  // namespace

std::string quantization_headline(const QuantizationExplanation& explanation) {
  const std::size_t asked = explanation.requested.count;
  const std::string_view subject = explanation.form == QuantizationForm::kCalibrated
                                       ? "that the builder can quantize"
                                       : "that the model quantizes";
  const std::string layers = format("{} {}", counted(asked, "layer"), subject);
  // "all 12 layers that …", "the only layer that …".
  const std::string whole = format("{} {}", base::part_of_all(asked, asked, "layer"), subject);
  const std::size_t writing_float =
      explanation.by_run[static_cast<std::size_t>(analyze::QuantizedRun::kWritesFloat)].count;
  std::string writing;
  if (writing_float > 0 && asked == 1) {
    writing = " and writes float";
  } else if (writing_float > 0) {
    writing =
        format(", and {} of them {} float", writing_float, writing_float == 1 ? "writes" : "write");
  }
  switch (explanation.verdict) {
    case QuantizationVerdict::kNotAsked:
      if (explanation.form == QuantizationForm::kNone) {
        return "nothing in this engine is quantized, and nothing shows that the model asks for it";
      }
      return explanation.matrix.count == 0
                 ? "the model has quantizers, but no convolutions or matrix products are known"
                 : "the model has quantizers, but the types of its convolutions and matrix "
                   "products do not show whether they run quantized";
    case QuantizationVerdict::kUnknown:
      return unknown_headline(explanation);
    case QuantizationVerdict::kUndone:
      return format("{} {} in float{}{}", whole, asked == 1 ? "runs" : "run",
                    cost_text(explanation.fell_back), conversions_text(explanation.conversions));
    case QuantizationVerdict::kPartly:
      return format("{} of {} {} in float{}{}", explanation.fell_back.count, layers,
                    explanation.fell_back.count == 1 ? "runs" : "run",
                    cost_text(explanation.fell_back), conversions_text(explanation.conversions));
    case QuantizationVerdict::kExpanded:
      return format(
          "only weights are quantized, and {} them to float in every inference{}; {} in float",
          kernels_text(explanation.weight_kernels.count), cost_text(explanation.weight_kernels),
          asked == 1 ? "the layer that reads them computes"
                     : format("the {} layers that read them compute", asked));
    case QuantizationVerdict::kConverts:
    case QuantizationVerdict::kQuantized:
      if (explanation.form == QuantizationForm::kWeights) {
        return format("only weights are quantized: {} them as they are stored and {} in float",
                      asked == 1 ? "1 layer reads" : format("{} layers read", asked),
                      asked == 1 ? "computes" : "compute");
      }
      return format("{} {} quantized{}{}", whole, asked == 1 ? "runs" : "run", writing,
                    conversions_text(explanation.conversions));
  }
  return {};
}

std::string quantization_asked(const QuantizationExplanation& explanation) {
  const auto count = [](const std::optional<std::int64_t>& value, std::string_view what) {
    return value ? format("{} {}", *value, what) : std::string(what);
  };
  const auto counted_operations = [](const std::optional<std::int64_t>& value,
                                     std::string_view which) {
    return value ? format("{} {}", counted(static_cast<std::size_t>(*value), "operation"), which)
                 : format("operations {}", which);
  };
  std::string text;
  switch (explanation.form) {
    case QuantizationForm::kNone:
      return explanation.verdict == QuantizationVerdict::kUnknown
                 ? "The model: no name shows a quantizer; calibration by the builder (implicit "
                   "INT8) leaves none"
                 : "The model: no quantizers are known";
    case QuantizationForm::kPairs:
      // Names show only what is left of the pairs, which may not be both halves.
      if (explanation.evidence == QuantizationEvidence::kSources &&
          explanation.verdict == QuantizationVerdict::kUnknown) {
        text = "The model quantizes with Q/DQ pairs";
        break;
      }
      text = format("The model quantizes with Q/DQ pairs: {} and {}",
                    count(explanation.quantizer_count, "QuantizeLinear"),
                    count(explanation.dequantizer_count, "DequantizeLinear"));
      break;
    case QuantizationForm::kOperators:
      text = format("The model is in QOperator form: {}",
                    counted_operations(explanation.operator_count, "such as QLinearConv"));
      break;
    case QuantizationForm::kDynamic:
      text = format("The model quantizes dynamically: {}",
                    counted_operations(explanation.dynamic_count,
                                       "such as DynamicQuantizeLinear and MatMulInteger"));
      break;
    case QuantizationForm::kCalibrated:
      text =
          "The model has no quantizers: the builder was allowed INT8 and chose by calibration "
          "(implicit quantization)";
      break;
    case QuantizationForm::kWeights:
      text = format("The model quantizes weights only: {}",
                    count(explanation.dequantizer_count, "DequantizeLinear"));
      break;
  }
  return format("{} ({})", text, source_text(explanation.evidence));
}

std::string fallback_text(const model::PlanModel& model, const analyze::QuantizationRow& row) {
  const auto named = [&](std::string_view before, std::string_view after) {
    const std::string_view space = before.empty() ? "" : " ";
    return row.cause_layer.is_null()
               ? format("{}{}another layer{}", before, space, after)
               : format("{}{}{}{}", before, space, reported_name(model, row.cause_layer), after);
  };
  switch (row.reason) {
    case FallbackReason::kNone:
      return {};
    case FallbackReason::kEngineRule:
      return engine_rule_text(row);
    case FallbackReason::kWeightsExpanded:
      return named("its weights are converted to float in every inference by", "");
    case FallbackReason::kOperatorForm:
      return "the engine computes QOperator operations in float";
    case FallbackReason::kDynamicScale:
      return "its scale is only known at run time, and the engine computes in float";
    case FallbackReason::kFloatWeights:
      return "its weights have no Q/DQ";
    case FallbackReason::kFloatInput:
      return "its input has no Q/DQ";
    case FallbackReason::kDequantized:
      return named("its input is converted back to float by", "");
    case FallbackReason::kFloatResidual:
      return named("it adds a float tensor, written by", "");
    case FallbackReason::kFloatPool:
      return named("the pooling", " after it runs in float");
    case FallbackReason::kFloatReader:
      return named("it is read in float by", "");
    case FallbackReason::kOutput:
      return "it writes the engine's output";
    case FallbackReason::kFloatKernel:
      return format("its kernel reads {} and computes in float", model::to_string(row.input));
    case FallbackReason::kQuantizedBehind:
      return named("", " after it quantizes in the same pass");
    case FallbackReason::kBuilderChose:
      return "the builder chose a float kernel";
    case FallbackReason::kUnknown:
      break;
  }
  return "the files do not show why";
}

std::string fallback_kind(const analyze::QuantizationRow& row) {
  switch (row.reason) {
    case FallbackReason::kEngineRule:
      return engine_rule_text(row);
    case FallbackReason::kWeightsExpanded:
      return "the weights of each are converted to float in every inference";
    case FallbackReason::kFloatResidual:
      return "each adds a float tensor";
    case FallbackReason::kFloatPool:
      return "the pooling after each runs in float";
    case FallbackReason::kFloatReader:
      return "each is read in float";
    case FallbackReason::kDequantized:
      return "the input of each is converted back to float";
    case FallbackReason::kOutput:
      return "each writes an output of the engine";
    case FallbackReason::kFloatKernel:
      return "their kernels read the quantized type and compute in float";
    case FallbackReason::kQuantizedBehind:
      return "the kernel after each quantizes in the same pass";
    default:
      return {};
  }
}

std::string fallback_advice(const model::PlanModel& model, const analyze::QuantizationRow& row) {
  const std::string_view producer = model.text(model.engine.producer[0]);
  switch (row.reason) {
    case FallbackReason::kEngineRule:
      return row.rule == nullptr ? std::string() : std::string(row.rule->cure);
    case FallbackReason::kOperatorForm:
      return "Export the model with Q/DQ pairs in place of QOperator operations (in ONNX Runtime's "
             "quantizer: quant_format=QuantFormat.QDQ)";
    case FallbackReason::kDynamicScale:
      return "Quantize statically, with calibrated scales and Q/DQ pairs; dynamic quantization "
             "gains only where an engine has kernels for it";
    case FallbackReason::kFloatWeights:
      return "Put Q/DQ on the weights too, one scale per channel";
    case FallbackReason::kFloatInput:
      return "Put Q/DQ on the input too";
    case FallbackReason::kDequantized:
      return "Let the layer read the quantized value: no other operation between its input's "
             "DequantizeLinear and itself";
    case FallbackReason::kFloatResidual:
      return "Put one Q/DQ pair on the skip path, with the scale of the pair that the tensor's "
             "other readers use";
    case FallbackReason::kFloatPool:
      return "Put a Q/DQ pair before the pooling; for max pooling, drop the one after "
             "it";
    case FallbackReason::kFloatKernel:
      return producer == "tensorrt" ? "Keep these layers in FP16 (no Q/DQ on them), where they "
                                      "have faster kernels, or build with a newer version"
                                    : "";
    case FallbackReason::kFloatReader:
      return "Put Q/DQ on the other inputs of the layer that reads it, or after it";
    case FallbackReason::kBuilderChose:
      return producer == "tensorrt" ? "Build with --fp16 as well as --int8; for layers that are "
                                      "still slow, request types with --layerPrecisions and "
                                      "--precisionConstraints=obey, or with Q/DQ in the model"
                                    : "";
    default:
      return {};
  }
}

}  // namespace planex::render
