#include "ingest/onnxruntime/operators.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "ingest/families.h"

namespace planex::ingest::onnxruntime {
namespace {

using model::DType;
using model::Family;

struct OperatorFamily {
  std::string_view type;
  Family family;
};

// What ingest/families.h does not know. Grouped for people; looked up once per layer.
constexpr OperatorFamily kFamilies[] = {
    {"FusedConv", Family::kConvolution},
    {"NhwcFusedConv", Family::kConvolution},
    {"NhwcConv", Family::kConvolution},
    {"ConvTranspose", Family::kConvolution},
    {"QLinearConv", Family::kConvolution},
    {"QLinearConvTranspose", Family::kConvolution},
    {"ConvInteger", Family::kConvolution},
    {"DeformConv", Family::kConvolution},
    {"FusedGemm", Family::kGemm},
    {"FusedMatMul", Family::kGemm},
    {"TransposeMatMul", Family::kGemm},
    {"FusedMatMulActivation", Family::kGemm},
    {"QGemm", Family::kGemm},
    {"QLinearMatMul", Family::kGemm},
    {"MatMulInteger", Family::kGemm},
    {"MatMulInteger16", Family::kGemm},
    {"MatMulIntegerToFloat", Family::kGemm},
    {"DynamicQuantizeMatMul", Family::kGemm},
    {"MatMulNBits", Family::kGemm},
    {"MatMulBnb4", Family::kGemm},
    {"MatMulFpQ4", Family::kGemm},
    {"GemmFloat8", Family::kGemm},
    {"Einsum", Family::kGemm},
    {"QAttention", Family::kGemm},
    {"MultiHeadAttention", Family::kGemm},
    {"DecoderMaskedMultiHeadAttention", Family::kGemm},
    {"GroupQueryAttention", Family::kGemm},
    {"PackedAttention", Family::kGemm},
    {"SparseAttention", Family::kGemm},
    {"GRU", Family::kGemm},
    {"DynamicQuantizeLSTM", Family::kGemm},
    {"QMoE", Family::kGemm},
    {"MoE", Family::kGemm},
    {"BatchNormalization", Family::kNorm},
    {"InstanceNormalization", Family::kNorm},
    {"LayerNormalization", Family::kNorm},
    {"SimplifiedLayerNormalization", Family::kNorm},
    {"SkipLayerNormalization", Family::kNorm},
    {"SkipSimplifiedLayerNormalization", Family::kNorm},
    {"EmbedLayerNormalization", Family::kNorm},
    {"GroupNormalization", Family::kNorm},
    {"GroupNorm", Family::kNorm},
    {"RMSNormalization", Family::kNorm},
    {"LpNormalization", Family::kNorm},
    {"QLinearSoftmax", Family::kNorm},
    {"BiasSoftmax", Family::kNorm},
    {"AveragePool", Family::kPool},
    {"GlobalAveragePool", Family::kPool},
    {"GlobalMaxPool", Family::kPool},
    {"LpPool", Family::kPool},
    {"QLinearAveragePool", Family::kPool},
    {"QLinearGlobalAveragePool", Family::kPool},
    {"NhwcMaxPool", Family::kPool},
    {"ReduceMean", Family::kPool},
    {"ReduceSum", Family::kPool},
    {"ReduceMax", Family::kPool},
    {"ReduceMin", Family::kPool},
    {"ReduceProd", Family::kPool},
    {"ReduceL1", Family::kPool},
    {"ReduceL2", Family::kPool},
    {"ReduceLogSumExp", Family::kPool},
    {"ReduceSumSquare", Family::kPool},
    {"ArgMax", Family::kPool},
    {"ArgMin", Family::kPool},
    {"Add", Family::kPointwise},
    {"Sub", Family::kPointwise},
    {"Mul", Family::kPointwise},
    {"Div", Family::kPointwise},
    {"Pow", Family::kPointwise},
    {"Mod", Family::kPointwise},
    {"Max", Family::kPointwise},
    {"Min", Family::kPointwise},
    {"Sum", Family::kPointwise},
    {"Mean", Family::kPointwise},
    {"Abs", Family::kPointwise},
    {"Neg", Family::kPointwise},
    {"Exp", Family::kPointwise},
    {"Log", Family::kPointwise},
    {"Sqrt", Family::kPointwise},
    {"Reciprocal", Family::kPointwise},
    {"Erf", Family::kPointwise},
    {"Sin", Family::kPointwise},
    {"Cos", Family::kPointwise},
    {"Floor", Family::kPointwise},
    {"Ceil", Family::kPointwise},
    {"Round", Family::kPointwise},
    {"Sign", Family::kPointwise},
    {"Not", Family::kPointwise},
    {"And", Family::kPointwise},
    {"Or", Family::kPointwise},
    {"Xor", Family::kPointwise},
    {"Equal", Family::kPointwise},
    {"Less", Family::kPointwise},
    {"LessOrEqual", Family::kPointwise},
    {"Greater", Family::kPointwise},
    {"GreaterOrEqual", Family::kPointwise},
    {"Where", Family::kPointwise},
    {"Clip", Family::kPointwise},
    {"Relu", Family::kPointwise},
    {"LeakyRelu", Family::kPointwise},
    {"Elu", Family::kPointwise},
    {"Selu", Family::kPointwise},
    {"Celu", Family::kPointwise},
    {"ThresholdedRelu", Family::kPointwise},
    {"Sigmoid", Family::kPointwise},
    {"HardSigmoid", Family::kPointwise},
    {"HardSwish", Family::kPointwise},
    {"Swish", Family::kPointwise},
    {"Tanh", Family::kPointwise},
    {"Softplus", Family::kPointwise},
    {"Softsign", Family::kPointwise},
    {"Mish", Family::kPointwise},
    {"Gelu", Family::kPointwise},
    {"FastGelu", Family::kPointwise},
    {"QuickGelu", Family::kPointwise},
    {"BiasGelu", Family::kPointwise},
    {"BiasAdd", Family::kPointwise},
    {"BiasSplitGelu", Family::kPointwise},
    {"QLinearAdd", Family::kPointwise},
    {"QLinearMul", Family::kPointwise},
    {"QLinearSigmoid", Family::kPointwise},
    {"QLinearLeakyRelu", Family::kPointwise},
    {"QLinearWhere", Family::kPointwise},
    {"RotaryEmbedding", Family::kPointwise},
    {"Flatten", Family::kShuffle},
    {"Squeeze", Family::kShuffle},
    {"Unsqueeze", Family::kShuffle},
    {"Identity", Family::kShuffle},
    {"Expand", Family::kShuffle},
    {"Upsample", Family::kShuffle},
    {"QLinearConcat", Family::kShuffle},
    {"ScatterElements", Family::kShuffle},
    {"ScatterND", Family::kShuffle},
    {"GatherBlockQuantized", Family::kShuffle},
    {"Compress", Family::kShuffle},
    {"Trilu", Family::kShuffle},
    {"ReorderInput", Family::kReformat},
    {"ReorderOutput", Family::kReformat},
    {"MemcpyToHost", Family::kReformat},
    {"MemcpyFromHost", Family::kReformat},
    {"QuantizeLinear", Family::kReformat},
    {"DequantizeLinear", Family::kReformat},
    {"DynamicQuantizeLinear", Family::kReformat},
    {"EPContext", Family::kOpaque},
    {"Scan", Family::kOpaque},
};

struct PackingOperator {
  std::string_view type;
  std::size_t inputs;
};
// From OpKernel::PrePack of the CPU provider's kernels.
constexpr PackingOperator kPacking[] = {
    {"MatMul", 2},
    {"FusedMatMul", 2},
    {"Gemm", 2},
    {"FusedGemm", 2},
    {"Conv", 2},
    {"FusedConv", 2},
    {"ConvTranspose", 2},
    {"QLinearConv", 8},
    {"QLinearMatMul", 8},
    {"MatMulInteger", 2},
    {"MatMulIntegerToFloat", 4},
    {"DynamicQuantizeMatMul", 3},
    {"MatMulNBits", 3},
    {"QGemm", 6},
    {"LSTM", 3},
    {"GRU", 3},
    {"DynamicQuantizeLSTM", 7},
    {"Attention", 2},
    {"QAttention", 5},
};

}  // namespace

Family family_of(std::string_view op_type) {
  const auto* found = std::ranges::find(kFamilies, op_type, &OperatorFamily::type);
  return found == std::end(kFamilies) ? ingest::family_of(op_type) : found->family;
}

DType dtype_of(std::string_view word) {
  struct Word {
    std::string_view word;
    DType type;
  };
  constexpr Word kWords[] = {
      {"float", DType::kFp32},       {"double", DType::kFp64},
      {"float16", DType::kFp16},     {"bfloat16", DType::kBf16},
      {"float8e4m3fn", DType::kFp8}, {"float8e4m3fnuz", DType::kFp8},
      {"float8e5m2", DType::kFp8},   {"float8e5m2fnuz", DType::kFp8},
      {"float4e2m1", DType::kFp4},   {"float4e2m1x2", DType::kFp4},
      {"int4x2", DType::kInt4},      {"int64", DType::kInt64},
      {"int32", DType::kInt32},      {"int16", DType::kInt16},
      {"int8", DType::kInt8},        {"int4", DType::kInt4},
      {"uint64", DType::kUint64},    {"uint32", DType::kUint32},
      {"uint16", DType::kUint16},    {"uint8", DType::kUint8},
      {"bool", DType::kBool},
  };
  const std::string lower = base::lower(word);
  const auto* found = std::ranges::find(kWords, lower, &Word::word);
  return found == std::end(kWords) ? DType::kNull : found->type;
}

std::size_t inputs_with_weights(std::string_view op_type) {
  const auto* found = std::ranges::find(kPacking, op_type, &PackingOperator::type);
  return found == std::end(kPacking) ? 0 : found->inputs;
}

bool is_asynchronous(std::string_view provider) {
  constexpr std::string_view kProviders[] = {
      "CUDAExecutionProvider",
      "TensorrtExecutionProvider",
      "NvTensorRTRTXExecutionProvider",
      "NvTensorRtRtxExecutionProvider",
      "ROCMExecutionProvider",
      "MIGraphXExecutionProvider",
      "DmlExecutionProvider",
      "WebGpuExecutionProvider",
      "JsExecutionProvider",
      "CANNExecutionProvider",
  };
  return std::ranges::find(kProviders, provider) != std::end(kProviders);
}

}  // namespace planex::ingest::onnxruntime
