#include "quantize/placement_rules.h"

#include <algorithm>
#include <array>
#include <utility>

namespace planex::quantize {
namespace {

constexpr std::array<std::pair<Target, std::string_view>, 4> kTargets = {{
    {Target::kTensorrt, "tensorrt"},
    {Target::kTensorrtRtx, "tensorrt-rtx"},
    {Target::kOpenvino, "openvino"},
    {Target::kOnnxruntime, "onnxruntime"},
}};

constexpr std::array<std::string_view, 3> kFormatNames = {"int8", "fp8", "int4"};
constexpr std::array kFormats = {NumberFormat::kInt8, NumberFormat::kFp8, NumberFormat::kInt4};

// TensorRT's documentation names these two; OpenVINO 2026.4 computes wrong values with sizes that
// are not powers of two (48, 80, 100, 112 were tried), and TensorRT-RTX 1.7 builds all of these.
constexpr std::array kTensorrtBlocks = {64, 128};
constexpr std::array kBlocks = {16, 32, 64, 128, 256};

constexpr RuleFormats kInt8Only = {.int8 = true, .fp8 = false, .int4 = false};
constexpr RuleFormats kFp8Only = {.int8 = false, .fp8 = true, .int4 = false};
constexpr RuleFormats kInt4Only = {.int8 = false, .fp8 = false, .int4 = true};
constexpr RuleFormats kEveryFormat = {.int8 = true, .fp8 = true, .int4 = true};

constexpr std::array<std::string_view, 4> kStances = {"no", "yes", "neutral", "measured"};

constexpr auto kNo = Stance::kNo;
constexpr auto kYes = Stance::kYes;
constexpr auto kNeutral = Stance::kNeutral;
constexpr auto kMeasured = Stance::kMeasured;

constexpr std::array kRules = {
    PlacementRule{
        .id = "weighted-inputs",
        .condition = "a Conv, ConvTranspose, Gemm or MatMul has a constant weight",
        .edit = "Q/DQ on its input and DQ on its weight: weights per channel, activations per "
                "tensor, both symmetric",
        .tensorrt = kYes,
        .tensorrt_rtx = kYes,
        .openvino = kYes,
        .onnxruntime = kYes,
        .versions =
            "TensorRT 8.0 to 8.6: needs --int8, and ignores a calibrator when the model has Q/DQ; "
            "9.1 and later: also in strongly typed networks; 11.0 and later: every network is "
            "strongly typed, and Q/DQ are the only way to INT8",
        .why = "A layer computes in INT8 only if everything that it reads is quantized",
        .source = "NVIDIA TensorRT Developer Guide, explicit quantization; NVIDIA/TensorRT#1837; "
                  "measured with OpenVINO 2026.4"},
    PlacementRule{
        .id = "convolutions-in-half",
        .condition = "a Conv or ConvTranspose has a constant weight",
        .edit = "it stays in float, unless --only-op names it: no Q/DQ on its inputs",
        .tensorrt = kNo,
        .tensorrt_rtx = kYes,
        .openvino = kNo,
        .onnxruntime = kNo,
        .versions = "TensorRT-RTX 1.7",
        .why = "An INT8 or FP8 convolution of TensorRT-RTX writes float32, and another kernel adds "
               "the bias and quantizes again; in half, bias, sum and ReLU run inside the "
               "convolution, and the same number of bytes is moved",
        .source = "measured with TensorRT-RTX 1.7.1, built without a GPU, so not timed: ResNet-18 "
                  "has 24 layers in FP16, with 13.7 MB of activations and 23.5 MB of weights; in "
                  "INT8 it has 53 layers, 26.8 MB and 11.8 MB"},
    PlacementRule{
        .id = "scalar-scale",
        .condition =
            "the scale of a tensor is a list of one value, and a convolution reads the tensor or "
            "what is computed from it",
        .edit = "scale and zero point become scalars of the same value",
        .tensorrt = kNo,
        .tensorrt_rtx = kYes,
        .openvino = kNo,
        .onnxruntime = kNo,
        .versions = "TensorRT-RTX 1.7",
        .why = "With a scalar, TensorRT-RTX computes the convolution in INT8 or FP8; with a list "
               "it converts tensors and weights back to float, the weights on every inference, and "
               "computes in float",
        .source =
            "engine rule rtx-scalar-scale; measured with TensorRT-RTX 1.7.1, for sm80 to sm121, on "
            "ResNet-18: 20 "
            "convolutions in INT8 instead of none, 53 layers and 26.8 MB of activations "
            "instead of 81 and 131.6 MB"},
    PlacementRule{
        .id = "small-convolution",
        .condition = "a Conv reads (per group) or writes fewer than 16 channels, and is neither "
                     "ungrouped, with a square kernel, a multiple of 8 channels on one side, and "
                     "16 or more on one side or the model's input to read; nor grouped, with a "
                     "kernel of 3 or more and a multiple of 8 channels to write",
        .edit = "it stays in float",
        .tensorrt = kYes,
        .tensorrt_rtx = kNo,
        .openvino = kNo,
        .onnxruntime = kNo,
        .formats = kInt8Only,
        .versions = "",
        .why = "INT8 kernels compute 16 or 32 channels at a time; with fewer channels, padding and "
               "conversions cost more than INT8 gains",
        .source = "NVIDIA TensorRT Model Optimizer 0.47, its choice of convolutions"},
    PlacementRule{
        .id = "narrow-convolution",
        .condition = "a Conv reads (per group) or writes 16 channels or fewer, or its kernel has "
                     "more than 32 elements",
        .edit = "it stays in float",
        .tensorrt = kYes,
        .tensorrt_rtx = kNo,
        .openvino = kNo,
        .onnxruntime = kNo,
        .formats = kFp8Only,
        .versions = "",
        .why = "TensorRT has no FP8 kernels for these: for a first layer that reads a picture it "
               "finds no implementation, and others run slower than in half",
        .source = "NVIDIA TensorRT Model Optimizer, its choice of convolutions; "
                  "NVIDIA/TensorRT#3987"},
    PlacementRule{.id = "transposed-convolution",
                  .condition = "a ConvTranspose has a constant weight",
                  .edit = "it stays in float",
                  .tensorrt = kYes,
                  .tensorrt_rtx = kNo,
                  .openvino = kNo,
                  .onnxruntime = kNo,
                  .formats = kFp8Only,
                  .versions = "",
                  .why = "No source says that TensorRT runs it in FP8",
                  .source = "NVIDIA TensorRT Model Optimizer: FP8 is for Conv, Gemm and MatMul"},
    PlacementRule{.id = "transposed-convolution-in-float",
                  .condition = "a ConvTranspose has a constant weight",
                  .edit = "it stays in float: no Q/DQ on its inputs",
                  .tensorrt = kNo,
                  .tensorrt_rtx = kNo,
                  .openvino = kNo,
                  .onnxruntime = kYes,
                  .formats = kInt8Only,
                  .versions = "ONNX Runtime 1.32, CPU provider",
                  .why = "It has no ConvTranspose in INT8, and would convert input and weights to "
                         "float on every inference",
                  .source = "engine rule ort-no-transposed-convolution"},
    PlacementRule{
        .id = "vector-product",
        .condition = "a MatMul produces one row or one column",
        .edit = "it stays in float",
        .tensorrt = kYes,
        .tensorrt_rtx = kYes,
        .openvino = kNo,
        .onnxruntime = kNo,
        .versions = "",
        .why = "A product with a vector is bound by reading the weights, and there is no INT8 "
               "kernel for it",
        .source = "NVIDIA TensorRT Model Optimizer 0.47, its choice of products"},
    PlacementRule{
        .id = "weights-in-blocks",
        .condition = "a Gemm or MatMul has a constant weight of two dimensions; for ONNX Runtime "
                     "also no Relu or Clip after it, unless that writes an output of the model",
        .edit = "DQ on its weight, symmetric, with a scale for each block of values that are "
                "summed up; its other inputs stay in float",
        .tensorrt = kYes,
        .tensorrt_rtx = kYes,
        .openvino = kYes,
        .onnxruntime = kYes,
        .formats = kInt4Only,
        .versions = "TensorRT 10.1 and later; its documentation names blocks of 64 and 128",
        .why = "The product is computed in float; its weights take a fourth of the space of half, "
               "which matters where reading them dominates the time",
        .source = "NVIDIA TensorRT documentation, Quantization Schemes; NVIDIA TensorRT Model "
                  "Optimizer; built with TensorRT-RTX 1.7, run with OpenVINO 2026.4; engine rule "
                  "ort-weights-of-products"},
    PlacementRule{
        .id = "whole-blocks",
        .condition = "the number of values that are summed up is not a multiple of the block size",
        .edit = "it stays in float",
        .tensorrt = kYes,
        .tensorrt_rtx = kYes,
        .openvino = kYes,
        .onnxruntime = kNo,
        .formats = kInt4Only,
        .versions = "ONNX Runtime 1.32 accepts a last block that is not full, and is faster with "
                    "it; planex writes none, because it judges INT4 with OpenVINO: a smaller block "
                    "may fit",
        .why = "OpenVINO rejects a last block that is not full, and TensorRT's documentation does "
               "not mention any",
        .source = "measured with OpenVINO 2026.4 and ONNX Runtime 1.32"},
    PlacementRule{
        .id = "products-only",
        .condition = "a Conv or ConvTranspose has a constant weight",
        .edit = "it stays in float",
        .tensorrt = kYes,
        .tensorrt_rtx = kYes,
        .openvino = kYes,
        .onnxruntime = kYes,
        .formats = kInt4Only,
        .versions = "",
        .why = "TensorRT supports INT8 and FP8 for convolutions, and blocks along the last two "
               "dimensions only, which for a convolution are its window",
        .source = "NVIDIA TensorRT Model Optimizer; measured with TensorRT-RTX 1.7: \"The blocking "
                  "dimension must be the last or second to last dimension\""},
    PlacementRule{
        .id = "attention-in-float",
        .condition = "a MatMul multiplies two activations",
        .edit = "no Q/DQ on its inputs: query, key, softmax and value stay in float",
        .tensorrt = kYes,
        .tensorrt_rtx = kYes,
        .openvino = kMeasured,
        .onnxruntime = kMeasured,
        .formats = kEveryFormat,
        .versions =
            "OpenVINO 2026.4 and ONNX Runtime 1.32 with VNNI: attention on 8 bits takes up to "
            "26 % less, and costs accuracy",
        .why = "GPUs fuse attention into one kernel, which Q/DQ inside it would split",
        .source = "NVIDIA TensorRT Model Optimizer 0.47; measured with OpenVINO 2026.4 and ONNX "
                  "Runtime 1.32: heads of 64, 64 to 1024 tokens (docs/reference/evidence.md)"},
    PlacementRule{.id = "normalization-in-float",
                  .condition = "a LayerNormalization, GroupNormalization, InstanceNormalization or "
                               "RMSNormalization reads the tensor",
                  .edit = "it reads the float tensor",
                  .tensorrt = kYes,
                  .tensorrt_rtx = kYes,
                  .openvino = kYes,
                  .onnxruntime = kYes,
                  .versions = "",
                  .why = "Mean and variance lose more in 8 bits than the smaller reads save",
                  .source = "NVIDIA TensorRT Model Optimizer 0.47; measured with OpenVINO 2026.4"},
    PlacementRule{
        .id = "control-flow-in-float",
        .condition = "a node is in the body of an If, Loop or Scan, or a tensor is read there",
        .edit = "body and tensor stay in float",
        .tensorrt = kYes,
        .tensorrt_rtx = kYes,
        .openvino = kNo,
        .onnxruntime = kYes,
        .formats = kEveryFormat,
        .versions = "OpenVINO 2026.4 runs operations with Q/DQ inside a body in INT8; planex still "
                    "changes nothing there",
        .why = "Engines run such bodies separately, and a pair outside does not fuse with a layer "
               "inside",
        .source = "planex changes nothing in bodies; measured with OpenVINO 2026.4: no gain "
                  "in time over a body in INT8"},
    PlacementRule{.id = "floats-only",
                  .condition = "a tensor is declared with a type other than float",
                  .edit = "its readers stay as they are",
                  .tensorrt = kYes,
                  .tensorrt_rtx = kYes,
                  .openvino = kYes,
                  .onnxruntime = kYes,
                  .formats = kEveryFormat,
                  .versions = "",
                  .why = "QuantizeLinear takes floats",
                  .source = "ONNX, QuantizeLinear"},
    PlacementRule{.id = "by-request",
                  .condition = "the layer was named to stay in float, or its operation is not "
                               "among those named to be quantized",
                  .edit = "it stays in float",
                  .tensorrt = kYes,
                  .tensorrt_rtx = kYes,
                  .openvino = kYes,
                  .onnxruntime = kYes,
                  .formats = kEveryFormat,
                  .versions = "",
                  .why = "You asked for it",
                  .source = "options of planex quantize"},
    PlacementRule{
        .id = "one-pair-per-tensor",
        .condition = "several quantized layers read one tensor",
        .edit = "one Q and one DQ, shared by all of them",
        .tensorrt = kYes,
        .tensorrt_rtx = kYes,
        .openvino = kYes,
        .onnxruntime = kYes,
        .versions = "",
        .why = "One pair per reader quantizes the same values several times, and the float tensor "
               "has to be written for them",
        .source = "measured with OpenVINO 2026.4 on ResNet-18: 22 to 25 % less latency at batch "
                  "8, with pool-after-pair; NVIDIA TensorRT Model Optimizer 0.47"},
    PlacementRule{
        .id = "no-output-pair",
        .condition = "the output of a layer is read only by layers in float, or is an output of "
                     "the model",
        .edit = "no Q/DQ on it",
        .tensorrt = kYes,
        .tensorrt_rtx = kYes,
        .openvino = kYes,
        .onnxruntime = kNo,
        .versions = "",
        .why = "A quantized layer can write floats at no cost; quantizing them costs accuracy and "
               "a conversion",
        .source = "NVIDIA TensorRT Developer Guide, Q/DQ Layer-Placement Recommendations"},
    PlacementRule{
        .id = "quantized-output",
        .condition = "a quantized Conv, or a quantized Gemm or MatMul with a bias, writes a tensor",
        .edit = "Q/DQ on it: after its BatchNormalization or bias; for a Conv or Gemm also after a "
                "Relu or Clip that is the only reader. Every reader reads the pair, and so does an "
                "output of the model",
        .tensorrt = kNo,
        .tensorrt_rtx = kNo,
        .openvino = kNo,
        .onnxruntime = kYes,
        .formats = kInt8Only,
        .versions = "ONNX Runtime 1.32, CPU provider",
        .why = "ONNX Runtime creates QLinearConv and QGemm only from operators between "
               "DequantizeLinear and QuantizeLinear, with nothing in between except a Relu or Clip "
               "that saturation makes redundant; with a reader in float the layer runs in float",
        .source = "engine rules ort-conv-quantized-output, ort-conv-activation, "
                  "ort-conv-other-readers, ort-gemm-output"},
    PlacementRule{
        .id = "operation-between-pairs",
        .condition = "the output of an Add, Mul, Concat, Sigmoid or LeakyRelu is quantized, and so "
                     "is one of its inputs",
        .edit = "Q/DQ on all its inputs, and every reader reads the pair after it",
        .tensorrt = kNo,
        .tensorrt_rtx = kNo,
        .openvino = kNo,
        .onnxruntime = kYes,
        .formats = kInt8Only,
        .versions = "ONNX Runtime 1.32, CPU provider",
        .why = "ONNX Runtime runs it on 8 bits where everything that it reads and writes is "
               "quantized; otherwise every reader dequantizes for itself",
        .source = "engine rules ort-add-both-inputs, ort-conv-addition; measured with ONNX Runtime "
                  "1.32: six Conv with x * Sigmoid(x) take 3.9 ms instead of 4.3"},
    PlacementRule{
        .id = "residual-skip",
        .condition = "an Add reads the output of a quantized Conv or ConvTranspose and a skip "
                     "path; for a Gemm or MatMul, where the sum is also quantized",
        .edit = "Q/DQ on the skip path only",
        .tensorrt = kYes,
        .tensorrt_rtx = kMeasured,
        .openvino = kNo,
        .onnxruntime = kNo,
        .versions = "TensorRT-RTX 1.7: 26.8 MB of activations instead of 37.2 in ResNet-18 with "
                    "its convolutions in INT8, not timed",
        .why = "The addition fuses into the layer before it, which then reads the skip path in "
               "INT8; Q/DQ on the other input would break the fusion",
        .source = "NVIDIA TensorRT Developer Guide, Q/DQ Layer-Placement Recommendations; NVIDIA "
                  "TensorRT Model Optimizer 0.47; measured with TensorRT-RTX 1.7"},
    PlacementRule{
        .id = "skip-choice",
        .condition = "an Add reads two paths that part at one tensor",
        .edit =
            "the skip path is the one that does not end in a quantized layer; where both do, the "
            "shorter one; where the path that ends in one starts at that same layer, there is no "
            "skip path",
        .tensorrt = kYes,
        .tensorrt_rtx = kNo,
        .openvino = kNo,
        .onnxruntime = kNo,
        .versions = "",
        .why = "The addition fuses into one layer: the last of the longer path",
        .source = "NVIDIA TensorRT Model Optimizer 0.47"},
    PlacementRule{
        .id = "residual-both",
        .condition = "an Add reads the output of a quantized Conv or ConvTranspose and another "
                     "activation; for a Gemm or MatMul, where the sum is also quantized",
        .edit = "Q/DQ on both inputs",
        .tensorrt = kNo,
        .tensorrt_rtx = kNo,
        .openvino = kYes,
        .onnxruntime = kNo,
        .versions = "",
        .why = "OpenVINO then runs the addition, and the operators after it, inside the "
               "convolution",
        .source = "measured with OpenVINO 2026.4 on ResNet-18: 26 instead of 35 layers, with "
                  "one-pair-per-tensor and pool-after-pair"},
    PlacementRule{
        .id = "pool-after-pair",
        .condition =
            "between a tensor and the quantized layers that read it there are operations that only "
            "choose or move values: MaxPool, Reshape, Squeeze, Unsqueeze, Flatten; for targets "
            "other than OpenVINO also Transpose",
        .edit = "the pair goes before them",
        .tensorrt = kNeutral,
        .tensorrt_rtx = kNeutral,
        .openvino = kYes,
        .onnxruntime = kYes,
        .versions = "OpenVINO 2026.4 on AVX2: a pair before a Transpose gives wrong results",
        .why = "They produce the same values in INT8, and move a quarter of the bytes",
        .source = "NVIDIA TensorRT Developer Guide, Q/DQ propagation; measured with OpenVINO "
                  "2026.4: pooling of ResNet-18 takes 58 instead of 139 us; the PP-OCRv4 "
                  "recognizer's engine is 8 dB from its own arithmetic with pairs before its "
                  "Transposes, and 19 dB without"},
    PlacementRule{
        .id = "average-pool-pair",
        .condition =
            "a GlobalAveragePool, for targets other than ONNX Runtime also an AveragePool, is read "
            "by a quantized layer, and nothing else reads its input",
        .edit = "Q/DQ on its input, too",
        .tensorrt = kMeasured,
        .tensorrt_rtx = kMeasured,
        .openvino = kYes,
        .onnxruntime = kYes,
        .versions = "ONNX Runtime 1.32, CPU provider: AveragePool on 8 bits takes longer than in "
                    "float",
        .why = "An average produces new values, so a pair can't be moved past it; with one more "
               "pair the pooling reads INT8, and the layer before it writes INT8, at some cost in "
               "accuracy",
        .source =
            "NVIDIA TensorRT Developer Guide, Q/DQ propagation; measured with OpenVINO 2026.4 on "
            "ResNet-18: 25 layers that write 2.99 MB instead of 26 and 3.17 MB; no difference in "
            "latency; with ONNX Runtime 1.32 after a Concat: 1.0 ms instead of 10.4 with a "
            "GlobalAveragePool, 0.34 instead of 0.21 with an AveragePool"},
    PlacementRule{
        .id = "concat-shared-scale",
        .condition = "a quantized layer reads the output of a Concat",
        .edit = "pairs with one scale, the largest, on all inputs and on the output",
        .tensorrt = kYes,
        .tensorrt_rtx = kYes,
        .openvino = kNo,
        .onnxruntime = kNo,
        .versions = "",
        .why = "With one scale the parts are written directly where they belong; with several, "
               "each part is quantized again",
        .source = "NVIDIA/TensorRT#3861, NVIDIA/TensorRT#4401; NVIDIA TensorRT Model Optimizer "
                  "0.47"},
    PlacementRule{
        .id = "unsigned-behind-resize",
        .condition = "a quantized layer reads the output of a Concat that reads a Resize",
        .edit = "the pair is uint8 with zero point 128",
        .tensorrt = kNo,
        .tensorrt_rtx = kNo,
        .openvino = kYes,
        .onnxruntime = kNo,
        .formats = kInt8Only,
        .versions = "OpenVINO 2026.4 on AVX2; other processors were not measured",
        .why = "OpenVINO moves the quantization up before the Resize as unsigned, which corrupts "
               "signed INT8; values and scale are the same",
        .source = "measured with OpenVINO 2026.4 on the PP-OCRv4 detector: one layer keeps 4.6 dB "
                  "as int8, 43.3 dB as uint8"},
    PlacementRule{
        .id = "pair-after-product",
        .condition = "a weighted layer is followed by x * Sigmoid(x), or x * HardSigmoid(x)",
        .edit = "the pair goes after the product, with none in between",
        .tensorrt = kYes,
        .tensorrt_rtx = kYes,
        .openvino = kYes,
        .onnxruntime = kNo,
        .versions = "",
        .why = "Engines fuse the activation into the layer before it",
        .source = "NVIDIA/TensorRT#2204; measured with OpenVINO 2026.4"},
    PlacementRule{
        .id = "no-pair-inside-convolution",
        .condition = "a BatchNormalization, bias or activation follows a weighted layer",
        .edit = "no pairs between them; BatchNormalization is folded into the weights",
        .tensorrt = kYes,
        .tensorrt_rtx = kYes,
        .openvino = kYes,
        .onnxruntime = kYes,
        .versions = "",
        .why = "All of them run inside the layer; a pair between would split it",
        .source = "NVIDIA TensorRT Developer Guide, Q/DQ Layer-Placement Recommendations; measured "
                  "with OpenVINO 2026.4"},
    PlacementRule{.id = "float-bias",
                  .condition = "a weighted layer has a bias",
                  .edit = "it stays in float",
                  .tensorrt = kYes,
                  .tensorrt_rtx = kYes,
                  .openvino = kYes,
                  .onnxruntime = kYes,
                  .formats = kEveryFormat,
                  .versions = "",
                  .why = "Sums are kept in 32 bits, where a float bias costs nothing; an INT32 "
                         "bias needs the product of the two scales, and TensorRT and TensorRT-RTX "
                         "reject a DequantizeLinear of INT32",
                  .source = "NVIDIA TensorRT Model Optimizer 0.47; measured with OpenVINO 2026.4"},
    PlacementRule{
        .id = "ends-in-float",
        .condition = "a layer is the first of the model, or the last before an output",
        .edit = "it stays in float",
        .tensorrt = kMeasured,
        .tensorrt_rtx = kMeasured,
        .openvino = kMeasured,
        .onnxruntime = kMeasured,
        .versions = "",
        .why = "Errors of the first layer reach all others, those of the last layer reach the "
               "result; which layers matter differs from model to model",
        .source = "measured on the PP-OCRv4 recognizer: with its second Conv in float 20.4 dB "
                  "instead of 13.7"},
    PlacementRule{.id = "zero-point-zero",
                  .condition = "a tensor is quantized",
                  .edit = "its zero point is 0, and for TensorRT its type is int8",
                  .tensorrt = kYes,
                  .tensorrt_rtx = kYes,
                  .openvino = kNeutral,
                  .onnxruntime = kNo,
                  .formats = kEveryFormat,
                  .versions = "TensorRT 10.11 and later accepts uint8 with a zero point on DLA, "
                              "with a flag",
                  .why =
                      "TensorRT and TensorRT-RTX reject others, and read uint8 around 0 as int8, "
                      "which clips values above 127 steps; OpenVINO accepts all of them",
                  .source = "TensorRT's ONNX parser; measured with TensorRT-RTX 1.7"},
    PlacementRule{
        .id = "unsigned-activations",
        .condition = "no value of a tensor is below 0 on the data, or its range is lopsided: a "
                     "signed scale would leave a quarter or more of its levels unused",
        .edit = "the pair is uint8, with the zero point that fits the range: 0 where no value is "
                "below 0",
        .tensorrt = kNo,
        .tensorrt_rtx = kNo,
        .openvino = kYes,
        .onnxruntime = kYes,
        .formats = kInt8Only,
        .versions = "",
        .why = "After ReLU or hard-swish half of a signed range has no values; with all levels in "
               "use a step is half as large, which is worth up to 6 dB",
        .source = "measured with OpenVINO 2026.4 on the PP-OCR nets, least squares, 8-bit weights: "
                  "the recognizer has 19.1 instead of 10.0 dB, the direction classifier 27.1 "
                  "instead of 19.0; engines are as close to the file's arithmetic as with int8"},
    PlacementRule{
        .id = "unsigned-throughout",
        .condition = "a tensor that is not a weight is quantized",
        .edit = "the pair is uint8, with the zero point that fits the range: 0 after a Relu",
        .tensorrt = kNo,
        .tensorrt_rtx = kNo,
        .openvino = kNo,
        .onnxruntime = kYes,
        .formats = kInt8Only,
        .versions = "ONNX Runtime 1.32, CPU provider",
        .why = "ONNX Runtime fuses a layer only if its input and output have the same type, drops "
               "a Relu only before the lowest value of the type, and turns int8 into uint8 at some "
               "tensors and not at others",
        .source = "engine rules ort-conv-equal-types, ort-conv-activation, ort-zero-point"},
    PlacementRule{.id = "positive-scales",
                  .condition = "a channel of a weight, or a tensor, contains only zeros",
                  .edit = "the smallest scale that the target accepts, never 0",
                  .tensorrt = kYes,
                  .tensorrt_rtx = kYes,
                  .openvino = kYes,
                  .onnxruntime = kYes,
                  .formats = kEveryFormat,
                  .versions = "",
                  .why = "Dividing by a scale of 0 is an error in TensorRT, and gives NaN "
                         "elsewhere",
                  .source = "TensorRT's ONNX parser; NVIDIA TensorRT Model Optimizer 0.47"},
    PlacementRule{
        .id = "seven-bit-weights",
        .condition = "the processor has no VNNI",
        .edit = "weights from -63 to 63",
        .tensorrt = kNo,
        .tensorrt_rtx = kNo,
        .openvino = kMeasured,
        .onnxruntime = kMeasured,
        .formats = kInt8Only,
        .versions = "",
        .why = "AVX2 and AVX-512 without VNNI add two products in 16 bits, which overflow with "
               "8-bit weights; with 7 bits they can't",
        .source = "OpenVINO's documentation; openvinotoolkit/openvino#25342; measured with "
                  "OpenVINO 2026.4 on the PP-OCR direction classifier: 20.4 dB instead of 3.5"},
    PlacementRule{
        .id = "dla-cache",
        .condition = "the engine runs on a DLA",
        .edit = "a calibration cache instead of Q/DQ, with a scale for every float tensor",
        .tensorrt = kMeasured,
        .tensorrt_rtx = kNo,
        .openvino = kNo,
        .onnxruntime = kNo,
        .formats = kInt8Only,
        .versions = "TensorRT up to 10.x; 11.3 and 11.4 have no DLA",
        .why = "DLA does not support Q/DQ, and an operation without a scale does not run on it",
        .source = "NVIDIA TensorRT Developer Guide, DLA; NVIDIA TensorRT Model Optimizer 0.47"},
};

}  // namespace

std::string_view to_string(Target target) {
  const auto place = static_cast<std::size_t>(target);
  return place < kTargets.size() ? kTargets[place].second : std::string_view();
}

std::optional<Target> target_of(std::string_view name) {
  for (const auto& [target, known] : kTargets) {
    if (known == name) return target;
  }
  return std::nullopt;
}

std::string_view to_string(NumberFormat format) {
  return kFormatNames[static_cast<std::size_t>(format)];
}

std::optional<NumberFormat> number_format_of(std::string_view name) {
  for (const NumberFormat format : kFormats) {
    if (to_string(format) == name) return format;
  }
  return std::nullopt;
}

std::span<const NumberFormat> number_formats() { return kFormats; }

bool is_for(const RuleFormats& formats, NumberFormat format) {
  switch (format) {
    case NumberFormat::kInt8:
      return formats.int8;
    case NumberFormat::kFp8:
      return formats.fp8;
    case NumberFormat::kInt4:
      return formats.int4;
  }
  return false;
}

std::string_view to_string(Stance stance) { return kStances[static_cast<std::size_t>(stance)]; }

std::span<const PlacementRule> placement_rules() { return kRules; }

const PlacementRule* find_placement_rule(std::string_view id) {
  const auto found = std::ranges::find(kRules, id, &PlacementRule::id);
  return found == kRules.end() ? nullptr : &*found;
}

Stance stance(const PlacementRule& rule, Target target) {
  switch (target) {
    case Target::kTensorrt:
      return rule.tensorrt;
    case Target::kTensorrtRtx:
      return rule.tensorrt_rtx;
    case Target::kOpenvino:
      return rule.openvino;
    case Target::kOnnxruntime:
      return rule.onnxruntime;
  }
  return Stance::kNo;
}

std::vector<std::string_view> formats_of(const PlacementRule& rule) {
  std::vector<std::string_view> names;
  for (const NumberFormat format : kFormats) {
    if (is_for(rule.formats, format)) names.push_back(to_string(format));
  }
  return names;
}

bool takes(Target target, NumberFormat format) {
  const bool is_on_cpu = target == Target::kOpenvino || target == Target::kOnnxruntime;
  return !is_on_cpu || format != NumberFormat::kFp8;
}

std::span<const int> block_sizes(Target target) {
  if (target == Target::kTensorrt) return kTensorrtBlocks;
  return kBlocks;
}

bool takes_channel_blocks(Target target) { return target != Target::kTensorrt; }

}  // namespace planex::quantize
