#include "ingest/onnxruntime/operators.h"

#include <algorithm>
#include <string>

#include "base/text.h"

namespace planex::ingest::onnxruntime {
namespace {

using model::DType;

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

DType type_it_quantizes_to(std::string_view op_type) {
  const bool quantizes = op_type == "DynamicQuantizeMatMul" || op_type == "DynamicQuantizeLSTM";
  return quantizes ? DType::kInt8 : DType::kNull;
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
