#include "quantize/cast_operators.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace planex::quantize {
namespace {

using onnx::DataType;

// ONNX's own operators with float tensors whose schemas, as of onnx 1.23, list float16 since opset
// 10 or since they exist. Excluded are operators that create floats from nothing (Constant,
// ConstantOfShape, Random...), those with subgraphs and sequences, and CumSum, whose sums grow.
constexpr std::array<std::string_view, 123> kHalf = {"Abs",
                                                     "Acos",
                                                     "Acosh",
                                                     "Add",
                                                     "ArgMax",
                                                     "ArgMin",
                                                     "Asin",
                                                     "Asinh",
                                                     "Atan",
                                                     "Atanh",
                                                     "AveragePool",
                                                     "BatchNormalization",
                                                     "Ceil",
                                                     "Clip",
                                                     "Compress",
                                                     "Concat",
                                                     "Conv",
                                                     "ConvTranspose",
                                                     "Cos",
                                                     "Cosh",
                                                     "DepthToSpace",
                                                     "Det",
                                                     "Div",
                                                     "Dropout",
                                                     "Einsum",
                                                     "Elu",
                                                     "Equal",
                                                     "Erf",
                                                     "Exp",
                                                     "Expand",
                                                     "Flatten",
                                                     "Floor",
                                                     "GRU",
                                                     "Gather",
                                                     "GatherElements",
                                                     "GatherND",
                                                     "Gelu",
                                                     "Gemm",
                                                     "GlobalAveragePool",
                                                     "GlobalLpPool",
                                                     "GlobalMaxPool",
                                                     "Greater",
                                                     "GreaterOrEqual",
                                                     "GridSample",
                                                     "GroupNormalization",
                                                     "HardSigmoid",
                                                     "HardSwish",
                                                     "Hardmax",
                                                     "Identity",
                                                     "InstanceNormalization",
                                                     "IsNaN",
                                                     "LRN",
                                                     "LSTM",
                                                     "LayerNormalization",
                                                     "LeakyRelu",
                                                     "Less",
                                                     "LessOrEqual",
                                                     "Log",
                                                     "LogSoftmax",
                                                     "LpNormalization",
                                                     "LpPool",
                                                     "MatMul",
                                                     "Max",
                                                     "MaxPool",
                                                     "MaxRoiPool",
                                                     "MaxUnpool",
                                                     "Mean",
                                                     "MeanVarianceNormalization",
                                                     "Min",
                                                     "Mish",
                                                     "Mod",
                                                     "Mul",
                                                     "Neg",
                                                     "NonZero",
                                                     "OneHot",
                                                     "PRelu",
                                                     "Pad",
                                                     "Pow",
                                                     "RNN",
                                                     "Reciprocal",
                                                     "ReduceL1",
                                                     "ReduceL2",
                                                     "ReduceLogSum",
                                                     "ReduceLogSumExp",
                                                     "ReduceMax",
                                                     "ReduceMean",
                                                     "ReduceMin",
                                                     "ReduceProd",
                                                     "ReduceSum",
                                                     "ReduceSumSquare",
                                                     "Relu",
                                                     "Reshape",
                                                     "Resize",
                                                     "ReverseSequence",
                                                     "RoiAlign",
                                                     "Round",
                                                     "ScatterElements",
                                                     "ScatterND",
                                                     "Selu",
                                                     "Shrink",
                                                     "Sigmoid",
                                                     "Sign",
                                                     "Sin",
                                                     "Sinh",
                                                     "Slice",
                                                     "Softmax",
                                                     "Softplus",
                                                     "Softsign",
                                                     "SpaceToDepth",
                                                     "Split",
                                                     "Sqrt",
                                                     "Squeeze",
                                                     "Sub",
                                                     "Sum",
                                                     "Tan",
                                                     "Tanh",
                                                     "ThresholdedRelu",
                                                     "Tile",
                                                     "TopK",
                                                     "Transpose",
                                                     "Trilu",
                                                     "Unsqueeze",
                                                     "Where"};
// Those of them without bfloat16 at opset 22, where most others got it.
constexpr std::array<std::string_view, 6> kNoBfloat16 = {"Compress",        "Einsum", "OneHot",
                                                         "ReverseSequence", "Shrink", "TopK"};

constexpr std::int64_t kOpsetOfSmallScales = 19;

template <std::size_t N>
bool has(const std::array<std::string_view, N>& sorted, std::string_view op_type) {
  return std::ranges::binary_search(sorted, op_type);
}

}  // namespace

bool has_small_form(const onnx::Node& node, DataType type, std::int64_t opset) {
  if (!node.domain.empty() || node.function != onnx::kNoIndex) return false;
  if (node.op_type == "QuantizeLinear" || node.op_type == "DequantizeLinear") {
    return opset >= kOpsetOfSmallScales;
  }
  // Its mean and deviation are float32.
  if (node.op_type == "LayerNormalization" && node.outputs.count > 1) return false;
  if (type == DataType::kBfloat16 && has(kNoBfloat16, node.op_type)) return false;
  return has(kHalf, node.op_type);
}

bool stays_float(const onnx::Node& node, std::uint32_t input) {
  return node.op_type == "Resize" && input > 0;
}

bool takes_any_type(const onnx::Node& node) {
  return node.domain.empty() &&
         (node.op_type == "Shape" || node.op_type == "Size" || node.op_type == "Cast");
}

bool is_heavy(const onnx::Node& node) {
  static constexpr std::array<std::string_view, 8> kHeavy = {
      "Conv", "ConvTranspose", "Einsum", "GRU", "Gemm", "LSTM", "MatMul", "RNN"};
  return has(kHeavy, node.op_type);
}

}  // namespace planex::quantize
