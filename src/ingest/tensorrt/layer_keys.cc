#include "ingest/tensorrt/layer_keys.h"

namespace planex::ingest::tensorrt {
namespace {

using Field = LayerField;

constexpr LayerKey kKeys[] = {
    {"Name", Field::kName},
    {"LayerType", Field::kLayerType},
    {"ParameterType", Field::kParameterType},
    {"Inputs", Field::kInputs},
    {"Constants", Field::kConstants},
    {"Outputs", Field::kOutputs},
    {"TacticName", Field::kTacticName},
    {"StreamId", Field::kStreamId},
    {"EventId", Field::kEventId},
    {"JumpTarget", Field::kJump},
    {"JumpTargetThen", Field::kJump},
    {"JumpTargetElse", Field::kJump},
    {"Metadata", Field::kMetadata},
    {"Origin", Field::kOrigin},
    // {"Type": "Half", "Count": 9408}: all of these are stored with the engine.
    {"Weights", Field::kWeights},
    {"weights", Field::kWeights},
    {"Bias", Field::kWeights},
    {"ConvWeights", Field::kWeights},
    {"ConvBias", Field::kWeights},
    {"Scale", Field::kWeights},
    {"Shift", Field::kWeights},
    {"Power", Field::kWeights},
    {"HasDynamicFilter", Field::kHasDynamicFilter},
    {"ConvHasDynamicFilter", Field::kHasDynamicFilter},
    {"TacticValue", Field::kOther},
    {"Activation", Field::kOther},
    {"Stride", Field::kOther},
    {"PaddingMode", Field::kOther},
    {"PrePadding", Field::kOther},
    {"PostPadding", Field::kOther},
    {"Kernel", Field::kOther},
    {"Dilation", Field::kOther},
    {"OutMaps", Field::kOther},
    {"Groups", Field::kOther},
    {"HasSparseWeights", Field::kOther},
    {"AllowSparse", Field::kOther},
    {"HasBias", Field::kOther},
    {"HasReLU", Field::kOther},
    {"HasDynamicBias", Field::kOther},
    {"HasResidual", Field::kOther},
    {"ConvXAsActInputIdx", Field::kOther},
    {"BiasAsActInputIdx", Field::kOther},
    {"ResAsActInputIdx", Field::kOther},
    {"ParameterSubType", Field::kOther},
    {"NbInputArgs", Field::kOther},
    {"InputArgs", Field::kOther},
    {"NbOutputVars", Field::kOther},
    {"OutputVars", Field::kOther},
    {"NbParams", Field::kOther},
    {"Params", Field::kOther},
    {"NbLiterals", Field::kOther},
    {"Literals", Field::kOther},
    {"NbOperations", Field::kOther},
    {"Operations", Field::kOther},
    {"Mode", Field::kOther},
    {"PoolingType", Field::kOther},
    {"WindowSize", Field::kOther},
    {"BlendFactor", Field::kOther},
    {"AverageCountExcludesPadding", Field::kOther},
    {"ChannelAxis", Field::kOther},
    {"PluginType", Field::kOther},
    {"PluginVersion", Field::kOther},
    {"NbPointWiseExpressionInputArgs", Field::kOther},
    {"PointWiseExpressionInputArgs", Field::kOther},
    {"NbPointWiseExpressionOutputVars", Field::kOther},
    {"PointWiseExpressionOutputVars", Field::kOther},
    {"NbPointWiseExpressionParams", Field::kOther},
    {"PointWiseExpressionParams", Field::kOther},
    {"NbPointWiseExpressionLiterals", Field::kOther},
    {"PointWiseExpressionLiterals", Field::kOther},
    {"NbPointWiseExpressionOperations", Field::kOther},
    {"PointWiseExpressionOperations", Field::kOther},
    {"ElementWiseOperation", Field::kOther},
    {"ConvolutionTacticIndex", Field::kOther},
    {"dimensions", Field::kOther},
    {"ResizeScales", Field::kOther},
    {"ExcludeOutside", Field::kOther},
    {"CubicCoeff", Field::kOther},
    {"CoordTransform", Field::kOther},
    {"ResizeSelector", Field::kOther},
    {"NNRounding", Field::kOther},
    {"FirstTranspose", Field::kOther},
    {"Reshape", Field::kOther},
    {"SecondTranspose", Field::kOther},
    {"ZeroIsPlaceholder", Field::kOther},
    {"InterpolationMode", Field::kOther},
    {"Axes", Field::kOther},
    {"HasLog", Field::kOther},
    {"MatrixOpA", Field::kOther},
    {"MatrixOpB", Field::kOther},
    {"Alpha", Field::kOther},
    {"Beta", Field::kOther},
    {"ResizeMode", Field::kOther},
    {"Start", Field::kOther},
    {"Size", Field::kOther},
    {"negativeInfinityPadding", Field::kOther},
    {"ConvParameterType", Field::kOther},
    {"ConvKernel", Field::kOther},
    {"ConvPaddingMode", Field::kOther},
    {"ConvPrePadding", Field::kOther},
    {"ConvPostPadding", Field::kOther},
    {"ConvStride", Field::kOther},
    {"ConvDilation", Field::kOther},
    {"ConvOutMaps", Field::kOther},
    {"ConvGroups", Field::kOther},
    {"ConvHasSparseWeights", Field::kOther},
    {"ConvActivation", Field::kOther},
    {"PoolingParameterType", Field::kOther},
    {"PoolingPoolingType", Field::kOther},
    {"PoolingWindowSize", Field::kOther},
    {"PoolingPaddingMode", Field::kOther},
    {"PoolingPrePadding", Field::kOther},
    {"PoolingPostPadding", Field::kOther},
    {"PoolingStride", Field::kOther},
    {"PoolingBlendFactor", Field::kOther},
    {"PoolingAverageCountExcludesPadding", Field::kOther},
    {"ConvHasDynamicBias", Field::kOther},
    {"ConvHasResidual", Field::kOther},
    {"ConvConvXAsActInputIdx", Field::kOther},
    {"ConvBiasAsActInputIdx", Field::kOther},
    {"ConvResAsActInputIdx", Field::kOther},
    {"Operation", Field::kOther},
    {"ReduceAxes", Field::kOther},
    {"KeepDimensions", Field::kOther},
    {"CublasConvolutionTacticIndex", Field::kOther},
};

}  // namespace

std::span<const LayerKey> layer_keys() { return kKeys; }

LayerField layer_field(std::string_view key) {
  for (const LayerKey& entry : kKeys) {
    if (entry.field == Field::kOther) break;  // like all after it
    if (entry.key == key) return entry.field;
  }
  return Field::kOther;
}

// Whether a key adds an attribute each time it occurs.
bool is_attribute(Field field) {
  switch (field) {
    case Field::kOther:
    case Field::kHasDynamicFilter:
    case Field::kWeights:
    case Field::kOrigin:
    case Field::kMetadata:
    case Field::kJump:
      return true;
    default:
      return false;
  }
}

}  // namespace planex::ingest::tensorrt
