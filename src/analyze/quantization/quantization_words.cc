// The words of planex.explain-quantization for each of its choices.
#include <string_view>

#include "analyze/quantization/quantization.h"

namespace planex::analyze {

std::string_view to_string(QuantizationForm form) {
  switch (form) {
    case QuantizationForm::kNone:
      break;
    case QuantizationForm::kPairs:
      return "pairs";
    case QuantizationForm::kOperators:
      return "operators";
    case QuantizationForm::kDynamic:
      return "dynamic";
    case QuantizationForm::kCalibrated:
      return "calibrated";
    case QuantizationForm::kWeights:
      return "weights";
  }
  return "none";
}

std::string_view to_string(QuantizationEvidence evidence) {
  switch (evidence) {
    case QuantizationEvidence::kNone:
      break;
    case QuantizationEvidence::kModel:
      return "model";
    case QuantizationEvidence::kSources:
      return "sources";
    case QuantizationEvidence::kTypes:
      return "types";
  }
  return {};
}

std::string_view to_string(QuantizedRun run) {
  switch (run) {
    case QuantizedRun::kQuantized:
      return "quantized";
    case QuantizedRun::kWritesFloat:
      return "writes-float";
    case QuantizedRun::kWeightsOnly:
      return "weights-only";
    case QuantizedRun::kUnknown:
      return "unknown";
    case QuantizedRun::kFloat:
      break;
  }
  return "float";
}

std::string_view to_string(Requested requested) {
  switch (requested) {
    case Requested::kYes:
      return "yes";
    case Requested::kNo:
      return "no";
    case Requested::kUnknown:
      break;
  }
  return "unknown";
}

std::string_view to_string(FallbackReason reason) {
  switch (reason) {
    case FallbackReason::kNone:
      return {};
    case FallbackReason::kEngineRule:
      return "engine-rule";
    case FallbackReason::kWeightsExpanded:
      return "weights-expanded";
    case FallbackReason::kOperatorForm:
      return "operator-form";
    case FallbackReason::kDynamicScale:
      return "dynamic-scale";
    case FallbackReason::kFloatWeights:
      return "float-weights";
    case FallbackReason::kFloatInput:
      return "float-input";
    case FallbackReason::kDequantized:
      return "dequantized";
    case FallbackReason::kFloatResidual:
      return "float-residual";
    case FallbackReason::kFloatPool:
      return "float-pool";
    case FallbackReason::kFloatReader:
      return "float-reader";
    case FallbackReason::kOutput:
      return "output";
    case FallbackReason::kFloatKernel:
      return "float-kernel";
    case FallbackReason::kQuantizedBehind:
      return "quantized-behind";
    case FallbackReason::kBuilderChose:
      return "builder-chose";
    case FallbackReason::kUnknown:
      break;
  }
  return "unknown";
}

std::string_view to_string(QuantizationVerdict verdict) {
  switch (verdict) {
    case QuantizationVerdict::kNotAsked:
      break;
    case QuantizationVerdict::kUndone:
      return "undone";
    case QuantizationVerdict::kPartly:
      return "partly";
    case QuantizationVerdict::kConverts:
      return "converts";
    case QuantizationVerdict::kExpanded:
      return "weights-expanded";
    case QuantizationVerdict::kQuantized:
      return "quantized";
    case QuantizationVerdict::kUnknown:
      return "unknown";
  }
  return "not-requested";
}

}  // namespace planex::analyze
