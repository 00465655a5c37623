#include "engines/engine_rules.h"

#include <algorithm>
#include <array>

namespace planex::engines {
namespace {

constexpr std::string_view kOnnxruntime = "onnxruntime";
constexpr std::string_view kOnnxruntimeVersion = "ONNX Runtime 1.32.0";
constexpr std::string_view kRtx = "tensorrt-rtx";
constexpr std::string_view kRtxVersion = "TensorRT-RTX 1.7.1";
constexpr std::string_view kOpenvino = "openvino";
constexpr std::string_view kOpenvinoVersion = "OpenVINO 2026.4.1";
constexpr std::string_view kTensorrt = "tensorrt";

constexpr std::string_view kSeen = "recorded engines of this version";
constexpr std::string_view kBuiltBoth =
    "both sides are built by tests/drivers/test_engine_rules.py";

constexpr std::array kEngineRules = {
    EngineRule{
        .id = "ort-conv-quantized-output",
        .engine = kOnnxruntime,
        .version = kOnnxruntimeVersion,
        .device = "CPU",
        .condition = Condition::kQuantizedOutput,
        .fuses = "a Conv between DequantizeLinear (input and weights) and QuantizeLinear becomes "
                 "QLinearConv",
        .stays = "without a QuantizeLinear after it a Conv runs in float, with a DequantizeLinear "
                 "for its input and for its weights in every inference",
        .because = "its output is not quantized, and ONNX Runtime fuses a convolution only between "
                   "DequantizeLinear and QuantizeLinear",
        .cure = "Put Q/DQ on the convolution's output, too: ONNX Runtime has no convolution that "
                "reads a quantized type and writes float",
        .proof = Proof::kBuilt,
        .source = kBuiltBoth},
    EngineRule{
        .id = "ort-conv-equal-types",
        .engine = kOnnxruntime,
        .version = kOnnxruntimeVersion,
        .device = "CPU",
        .condition = Condition::kEqualTypes,
        .fuses = "a Conv whose input and output are both uint8, or both int8, becomes QLinearConv",
        .stays = "a Conv that reads int8 and writes uint8 runs in float. On x86, ONNX Runtime "
                 "turns int8 pairs into uint8 if only one DequantizeLinear reads the quantized "
                 "tensor, and leaves the others, so models that are int8 throughout become mixed",
        .because = "it reads one 8-bit type and its quantizer writes the other, and ONNX Runtime "
                   "fuses only equal types",
        .cure = "Quantize activations as uint8 throughout (in ONNX Runtime's quantizer: "
                "activation_type=QuantType.QUInt8), and fold BatchNormalization into the weights "
                "first; planex quantize does both",
        .proof = Proof::kBuilt,
        .source = "both sides are built by tests/drivers/test_engine_rules.py; "
                  "microsoft/onnxruntime#17389, #26143"},
    EngineRule{
        .id = "ort-conv-activation",
        .engine = kOnnxruntime,
        .version = kOnnxruntimeVersion,
        .device = "CPU",
        .condition = Condition::kActivationBehind,
        .fuses = "a Relu or Clip between Conv and QuantizeLinear is dropped if saturation does the "
                 "same, and the Conv becomes QLinearConv: a Relu if the zero point is the type's "
                 "minimum (uint8: 0, int8: -128), a Clip if the type's whole range is within it "
                 "(uint8 with zero point 0: 255 times the scale is at most its max)",
        .stays = "with any other zero point, such as int8 with 0, with a Clip that cuts more than "
                 "the type does, and with other activations (Sigmoid, LeakyRelu, HardSwish) the "
                 "Conv runs in float",
        .because =
            "an activation is between it and its quantizer; ONNX Runtime drops only a Relu or "
            "Clip, and only if the quantizer's own range does the same (uint8 with zero point 0)",
        .cure = "Quantize what a Relu or Clip writes as uint8 with zero point 0 (for a Clip, with "
                "a scale of its max / 255): ONNX Runtime then drops it and fuses the convolution; "
                "before any other activation, put Q/DQ on the output of the convolution itself; "
                "planex quantize --target onnxruntime does both",
        .proof = Proof::kBuilt,
        .source = kBuiltBoth},
    EngineRule{
        .id = "ort-conv-normalization",
        .engine = kOnnxruntime,
        .version = kOnnxruntimeVersion,
        .device = "CPU",
        .condition = Condition::kNormalizationBehind,
        .fuses = "a Conv into whose weights the BatchNormalization was folded before quantization "
                 "becomes QLinearConv",
        .stays = "a BatchNormalization between Conv and QuantizeLinear stays, because ONNX Runtime "
                 "does not fold it into weights after a DequantizeLinear; the Conv runs in float",
        .because = "a BatchNormalization is between it and its quantizer, and ONNX Runtime does "
                   "not fold it into quantized weights",
        .cure = "Fold BatchNormalization into the weights before you quantize (ONNX Runtime's "
                "quantizer: quant_pre_process; planex quantize does it itself)",
        .proof = Proof::kBuilt,
        .source = kBuiltBoth},
    EngineRule{
        .id = "ort-conv-addition",
        .engine = kOnnxruntime,
        .version = kOnnxruntimeVersion,
        .device = "CPU",
        .condition = Condition::kAdditionBehind,
        .fuses = "a Conv with Q/DQ between it and the Add becomes QLinearConv",
        .stays = "a Conv whose output the Add reads in float runs in float",
        .because =
            "an addition reads what it writes before anything quantizes it, and ONNX Runtime "
            "fuses a convolution only if its own output is quantized",
        .cure = "Put Q/DQ on both inputs of the addition, too: the convolution and the addition "
                "then run quantized (QLinearConv, QLinearAdd)",
        .proof = Proof::kBuilt,
        .source = kBuiltBoth},
    EngineRule{
        .id = "ort-conv-other-readers",
        .engine = kOnnxruntime,
        .version = kOnnxruntimeVersion,
        .device = "CPU",
        .condition = Condition::kOtherReaders,
        .fuses = "a Conv whose output only QuantizeLinear reads becomes QLinearConv; everything "
                 "else that needs the values reads DequantizeLinear",
        .stays = "if anything else reads the output of the Conv in float, or it is an output of "
                 "the model, the Conv runs in float",
        .because = "layers other than its quantizer read its output, and ONNX Runtime fuses only "
                   "if the quantizer is the only reader",
        .cure =
            "Let all other readers of the convolution's output read after its DequantizeLinear, an "
            "output of the model, too; planex quantize --target onnxruntime does it",
        .proof = Proof::kBuilt,
        .source = kBuiltBoth},
    EngineRule{
        .id = "ort-no-transposed-convolution",
        .engine = kOnnxruntime,
        .version = kOnnxruntimeVersion,
        .device = "CPU",
        .condition = Condition::kTransposedConvolution,
        .fuses = "a Conv between Q/DQ becomes QLinearConv",
        .stays = "a ConvTranspose between Q/DQ runs in float, with a DequantizeLinear for its "
                 "input and for its weights at every inference",
        .because = "the CPU provider has no transposed convolution in INT8",
        .cure = "Leave the transposed convolution in float: no Q/DQ on its input and weights",
        .proof = Proof::kBuilt,
        .source = kBuiltBoth},
    EngineRule{
        .id = "ort-add-both-inputs",
        .engine = kOnnxruntime,
        .version = kOnnxruntimeVersion,
        .device = "CPU",
        .condition = Condition::kSummands,
        .fuses = "an Add with DequantizeLinear on both inputs and QuantizeLinear after it, all of "
                 "one type, becomes QLinearAdd",
        .stays = "with one input in float it runs in float",
        .because =
            "one of its inputs is float, and ONNX Runtime adds quantized values only if both "
            "are",
        .cure = "Put Q/DQ on both inputs of the addition and after it, in one type",
        .proof = Proof::kBuilt,
        .source = kBuiltBoth},
    EngineRule{.id = "ort-matmul-output",
               .engine = kOnnxruntime,
               .version = kOnnxruntimeVersion,
               .device = "CPU",
               .condition = Condition::kProductOutput,
               .fuses = "a MatMul after DequantizeLinear becomes QLinearMatMul if its output is "
                        "quantized, else MatMulIntegerToFloat: both compute in INT8",
               .stays = "a MatMul with only one quantized input runs in float",
               .because = "one of its inputs is float",
               .cure = "Put Q/DQ on both inputs of the product",
               .proof = Proof::kBuilt,
               .source = kBuiltBoth},
    EngineRule{
        .id = "ort-gemm-output",
        .engine = kOnnxruntime,
        .version = kOnnxruntimeVersion,
        .device = "CPU",
        .condition = Condition::kGemmOutput,
        .fuses = "a Gemm between DequantizeLinear and QuantizeLinear becomes QGemm; with an INT32 "
                 "bias, or none, it can write floats. A MatMul with a bias after it is a Gemm",
        .stays = "with a float bias and no QuantizeLinear after it a Gemm runs in float",
        .because = "its output is not quantized, and its bias is in float: ONNX Runtime "
                   "quantizes such a bias only between DequantizeLinear and QuantizeLinear",
        .cure = "Put Q/DQ on the Gemm's output, or give it an INT32 bias with a DequantizeLinear "
                "after it, whose scale is that of the input times that of the weights: then it can "
                "write float",
        .proof = Proof::kBuilt,
        .source = kBuiltBoth},
    EngineRule{
        .id = "ort-zero-point",
        .engine = kOnnxruntime,
        .version = kOnnxruntimeVersion,
        .device = "CPU",
        .condition = Condition::kZeroPoint,
        .fuses = "any zero point is accepted: uint8 with 128 becomes QLinearConv just as with 0",
        .stays = "a Relu before the quantizer stays with any zero point except the type's minimum",
        .because = "",
        .cure = "",
        .proof = Proof::kBuilt,
        .source = kBuiltBoth},
    EngineRule{.id = "ort-no-fp8-products",
               .engine = kOnnxruntime,
               .version = kOnnxruntimeVersion,
               .device = "CPU",
               .condition = Condition::kFp8Products,
               .fuses = "a MatMul between INT8 Q/DQ becomes QLinearMatMul",
               .stays = "between FP8 Q/DQ it runs in float, and every Q/DQ pair is computed",
               .because = "the CPU provider has no FP8 products: it rounds values to FP8, converts "
                          "them back to float and computes in float",
               .cure = "For a CPU, quantize to INT8 (planex quantize), or use the float model",
               .proof = Proof::kBuilt,
               .source = kBuiltBoth},
    EngineRule{.id = "ort-dynamic-convolution",
               .engine = kOnnxruntime,
               .version = kOnnxruntimeVersion,
               .device = "CPU",
               .condition = Condition::kDynamicConvolution,
               .fuses = "a statically quantized Conv becomes one QLinearConv",
               .stays = "a dynamically quantized one is DynamicQuantizeLinear, ConvInteger, Cast, "
                        "Mul and, with a bias, Add: none of them are fused",
               .because = "ConvInteger has no fast kernel, and each needs DynamicQuantizeLinear, "
                          "Cast, Mul and Add next to it",
               .cure = "Quantize statically, with calibrated scales in Q/DQ pairs (planex "
                       "quantize): only matrix products gain from dynamic quantization",
               .proof = Proof::kBuilt,
               .source = "both sides are built by tests/drivers/test_engine_rules.py; "
                         "microsoft/onnxruntime#12854"},
    EngineRule{.id = "ort-dynamic-product",
               .engine = kOnnxruntime,
               .version = kOnnxruntimeVersion,
               .device = "CPU",
               .condition = Condition::kDynamicProduct,
               .fuses = "DynamicQuantizeLinear, MatMulInteger, Cast and Mul become one "
                        "DynamicQuantizeMatMul",
               .stays = "a DynamicQuantizeLinear before a ConvInteger stays separate",
               .because = "",
               .cure = "",
               .proof = Proof::kBuilt,
               .source = kBuiltBoth},
    EngineRule{
        .id = "ort-weights-of-products",
        .engine = kOnnxruntime,
        .version = kOnnxruntimeVersion,
        .device = "CPU",
        .condition = Condition::kProductWeights,
        .fuses = "a MatMul in FP32 with a DequantizeLinear of INT4, UINT4, INT8 or UINT8 weights, "
                 "in blocks of 16 or more along the summed axis, or with one scale for all or per "
                 "column, becomes MatMulNBits, which reads the weights as they are stored",
        .stays =
            "with blocks of 8 or along the other axis, if several products read one "
            "DequantizeLinear, if a Relu or Clip that writes no output of the model is after the "
            "product or its bias, or if a Cast is in between (models in FP16, because the CPU "
            "provider has no FP16 products), the weights are converted to float in every inference",
        .because = "its weights are converted to float in every inference: ONNX Runtime makes "
                   "MatMulNBits, which reads them as stored, only from a DequantizeLinear right "
                   "before one MatMul, in blocks of 16 or more along the summed axis",
        .cure =
            "Put a separate DequantizeLinear right before each MatMul, in FP32 (a model in FP16 "
            "gets a Cast in between on the CPU), with blocks of 16 or more along the summed axis, "
            "or use MatMulNBits in the model (ONNX Runtime's MatMulNBitsQuantizer)",
        .proof = Proof::kBuilt,
        .source = kBuiltBoth},
    EngineRule{
        .id = "ort-weights-of-convolutions",
        .engine = kOnnxruntime,
        .version = kOnnxruntimeVersion,
        .device = "CPU",
        .condition = Condition::kConvolutionWeights,
        .fuses = "a Conv whose input and output are quantized, too, becomes QLinearConv",
        .stays = "a Conv with only its weights quantized runs in float, and its weights are "
                 "converted to float in every inference",
        .because = "only its weights are quantized: they are converted to float in every inference",
        .cure =
            "Quantize the input and output of the convolution, too, or keep its weights in float",
        .proof = Proof::kBuilt,
        .source = kBuiltBoth},
    EngineRule{.id = "rtx-scalar-scale",
               .engine = kRtx,
               .version = kRtxVersion,
               .device = "GPU",
               .condition = Condition::kScaleRank,
               .fuses = "a Conv between Q/DQ whose scales are scalars (shape []) runs in INT8",
               .stays = "with lists of one value (shape [1]) in any pair that it, or an addition "
                        "before it, reads, it runs in float: weights are converted to float in "
                        "every inference, and pairs only round",
               .because = "a scale that it reads is a list of one value ([1]): TensorRT-RTX "
                          "computes a convolution in INT8 only if all such scales are scalars ([])",
               .cure = "Make the scales and zero points of all Q/DQ pairs scalars, of shape [] "
                       "instead of [1]; the values stay the same (planex advise MODEL.onnx --apply "
                       "-o OUT.onnx --target tensorrt-rtx does it)",
               .proof = Proof::kBuilt,
               .source = kBuiltBoth},
    EngineRule{.id = "rtx-conv-writes-float",
               .engine = kRtx,
               .version = kRtxVersion,
               .device = "GPU",
               .condition = Condition::kWrittenType,
               .fuses = "the kernel after an INT8 convolution scales, adds the bias, activates and "
                        "quantizes in one pass",
               .stays = "the convolution itself writes FP32 whatever follows it",
               .because = "",
               .cure = "",
               .proof = Proof::kRecorded,
               .source = "ResNet-18 with scalar scales, built with TensorRT-RTX 1.7.1"},
    EngineRule{.id = "rtx-zero-point",
               .engine = kRtx,
               .version = kRtxVersion,
               .device = "GPU",
               .condition = Condition::kZeroPoint,
               .fuses = "Q/DQ with zero point 0 are accepted",
               .stays = "others are refused: \"Non-zero zero point is not supported\"",
               .because = "",
               .cure = "Quantize symmetrically: zero point 0",
               .proof = Proof::kBuilt,
               .source = kBuiltBoth},
    EngineRule{.id = "rtx-weights-of-convolutions",
               .engine = kRtx,
               .version = kRtxVersion,
               .device = "GPU",
               .condition = Condition::kConvolutionWeights,
               .fuses = "a Conv whose input is quantized, too, runs in INT8 (scalar scales)",
               .stays = "a Conv with only its weights quantized runs in float, and a separate "
                        "kernel converts its weights to float in every inference",
               .because = "only its weights are quantized: a separate kernel converts them to "
                          "float in every inference",
               .cure =
                   "Quantize the input of the convolution, too, with scalar scales, or keep its "
                   "weights in float",
               .proof = Proof::kBuilt,
               .source = kBuiltBoth},
    EngineRule{.id = "rtx-weights-of-products",
               .engine = kRtx,
               .version = kRtxVersion,
               .device = "GPU",
               .condition = Condition::kProductWeights,
               .fuses = "a MatMul whose two inputs have INT8 or FP8 Q/DQ runs in that type",
               .stays = "if only the weights are quantized (INT4, FP4, FP8), a separate kernel "
                        "converts them to half in every inference, and the product reads half",
               .because = "a separate kernel converts its weights to float in every inference, and "
                          "the product reads the result",
               .cure = "Quantize its input, too, if the hardware has such products, or keep these "
                       "weights in FP16 if time matters more than memory",
               .proof = Proof::kBuilt,
               .source = kBuiltBoth},
    EngineRule{
        .id = "openvino-no-fp8-products",
        .engine = kOpenvino,
        .version = kOpenvinoVersion,
        .device = "CPU",
        .condition = Condition::kFp8Products,
        .fuses = "a MatMul between INT8 Q/DQ runs in INT8",
        .stays =
            "FP8 Q/DQ become FakeConvert, which rounds float values to FP8 and back; the MatMul "
            "runs in float",
        .because = "the CPU plugin has no FP8 products: it emulates them, rounding float values to "
                   "FP8 and back (FakeConvert), and computes in float",
        .cure = "For a CPU, quantize to INT8 (planex quantize --target openvino), or use the float "
                "model",
        .proof = Proof::kBuilt,
        .source = kBuiltBoth},
    EngineRule{.id = "openvino-zero-point",
               .engine = kOpenvino,
               .version = kOpenvinoVersion,
               .device = "CPU",
               .condition = Condition::kZeroPoint,
               .fuses = "int8 and uint8 activations with any zero point run in INT8",
               .stays = "without Q/DQ the Conv runs in float",
               .because = "",
               .cure = "",
               .proof = Proof::kBuilt,
               .source = kBuiltBoth},
    EngineRule{.id = "openvino-conv-quantized-output",
               .engine = kOpenvino,
               .version = kOpenvinoVersion,
               .device = "CPU",
               .condition = Condition::kQuantizedOutput,
               .fuses = "a Conv whose input and weights have Q/DQ runs in INT8, whether its output "
                        "is quantized or not",
               .stays = "without Q/DQ on its input it runs in float",
               .because = "",
               .cure = "",
               .proof = Proof::kBuilt,
               .source = kBuiltBoth},
    EngineRule{
        .id = "openvino-conv-equal-types",
        .engine = kOpenvino,
        .version = kOpenvinoVersion,
        .device = "CPU",
        .condition = Condition::kEqualTypes,
        .fuses = "a Conv can read int8 and write uint8, or the other way round: it runs in INT8",
        .stays = "without Q/DQ on its input it runs in float",
        .because = "",
        .cure = "",
        .proof = Proof::kBuilt,
        .source = kBuiltBoth},
    EngineRule{.id = "openvino-conv-activation",
               .engine = kOpenvino,
               .version = kOpenvinoVersion,
               .device = "CPU",
               .condition = Condition::kActivationBehind,
               .fuses = "a Relu, Clip or Sigmoid between Conv and quantizer runs inside the "
                        "convolution, which is in INT8",
               .stays = "without Q/DQ on its input it runs in float",
               .because = "",
               .cure = "",
               .proof = Proof::kBuilt,
               .source = kBuiltBoth},
    EngineRule{.id = "openvino-conv-normalization",
               .engine = kOpenvino,
               .version = kOpenvinoVersion,
               .device = "CPU",
               .condition = Condition::kNormalizationBehind,
               .fuses = "a BatchNormalization between Conv and quantizer, with or without a Relu "
                        "after it, runs inside the convolution, which is in INT8",
               .stays = "without Q/DQ on its input it runs in float",
               .because = "",
               .cure = "",
               .proof = Proof::kBuilt,
               .source = kBuiltBoth},
    EngineRule{.id = "openvino-scale-rank",
               .engine = kOpenvino,
               .version = kOpenvinoVersion,
               .device = "CPU",
               .condition = Condition::kScaleRank,
               .fuses = "scales can be scalars (shape []) or lists of one value (shape [1]): the "
                        "Conv runs in INT8",
               .stays = "without Q/DQ on its input it runs in float",
               .because = "",
               .cure = "",
               .proof = Proof::kBuilt,
               .source = kBuiltBoth},
    EngineRule{.id = "openvino-weight-zero-point",
               .engine = kOpenvino,
               .version = kOpenvinoVersion,
               .device = "CPU",
               .condition = Condition::kWeightZeroPoint,
               .fuses = "a Conv whose weights have zero point 0 runs in INT8",
               .stays = "with another zero point its weights are converted to float when the model "
                        "is compiled, and it runs in float",
               .because = "its weights have a zero point other than 0, with which OpenVINO "
                          "computes a convolution in float",
               .cure = "Quantize weights symmetrically, with zero point 0 (in ONNX Runtime's "
                       "quantizer: extra_options WeightSymmetric=True)",
               .proof = Proof::kBuilt,
               .source = kBuiltBoth},
    EngineRule{.id = "openvino-weights-of-convolutions",
               .engine = kOpenvino,
               .version = kOpenvinoVersion,
               .device = "CPU",
               .condition = Condition::kConvolutionWeights,
               .fuses = "a Conv whose input is quantized, too, runs in INT8",
               .stays = "a Conv with only its weights quantized runs in float: its weights are "
                        "converted to float once, when the model is compiled",
               .because = "",
               .cure = "",
               .proof = Proof::kBuilt,
               .source = kBuiltBoth},
    EngineRule{.id = "openvino-transposed-convolution",
               .engine = kOpenvino,
               .version = kOpenvinoVersion,
               .device = "CPU",
               .condition = Condition::kTransposedConvolution,
               .fuses = "a ConvTranspose between Q/DQ runs in INT8",
               .stays = "without Q/DQ on its input it runs in float",
               .because = "",
               .cure = "",
               .proof = Proof::kBuilt,
               .source = kBuiltBoth},
    EngineRule{.id = "openvino-matmul-output",
               .engine = kOpenvino,
               .version = kOpenvinoVersion,
               .device = "CPU",
               .condition = Condition::kProductOutput,
               .fuses = "a MatMul or Gemm whose two inputs have Q/DQ runs in INT8, whether its "
                        "output is quantized or not",
               .stays = "with one input in float it runs in float",
               .because = "",
               .cure = "",
               .proof = Proof::kBuilt,
               .source = kBuiltBoth},
    EngineRule{
        .id = "openvino-dynamic-convolution",
        .engine = kOpenvino,
        .version = kOpenvinoVersion,
        .device = "CPU",
        .condition = Condition::kDynamicConvolution,
        .fuses = "a statically quantized Conv runs in INT8",
        .stays = "ConvInteger after DynamicQuantizeLinear runs in float, with conversions from 8 "
                 "bits to INT32 to float around it",
        .because = "OpenVINO computes ConvInteger in float, with conversions around it",
        .cure = "Quantize statically, with calibrated scales in Q/DQ pairs (planex quantize)",
        .proof = Proof::kBuilt,
        .source = kBuiltBoth},
    EngineRule{
        .id = "openvino-dynamic-product",
        .engine = kOpenvino,
        .version = kOpenvinoVersion,
        .device = "CPU",
        .condition = Condition::kDynamicProduct,
        .fuses = "a statically quantized MatMul runs in INT8",
        .stays = "MatMulInteger after DynamicQuantizeLinear runs in float, with conversions from 8 "
                 "bits to INT32 to float around it",
        .because = "OpenVINO computes MatMulInteger in float, with conversions around it",
        .cure = "Quantize statically, with calibrated scales in Q/DQ pairs (planex quantize)",
        .proof = Proof::kBuilt,
        .source = kBuiltBoth},
    EngineRule{
        .id = "openvino-operator-form",
        .engine = kOpenvino,
        .version = kOpenvinoVersion,
        .device = "CPU",
        .condition = Condition::kOperatorForm,
        .fuses = "the same model with Q/DQ pairs runs in INT8",
        .stays = "QLinearConv and similar operations run in float, with conversions around each",
        .because = "the engine computes QOperator operations in float",
        .cure = "Export the model with Q/DQ pairs instead of QOperator operations (in ONNX "
                "Runtime's quantizer: quant_format=QuantFormat.QDQ)",
        .proof = Proof::kRecorded,
        .source =
            "a ResNet-50 in QOperator form in OpenVINO 2026.4: 63 of 64 convolutions in float"},
    EngineRule{
        .id = "tensorrt-conv-quantized-output",
        .engine = kTensorrt,
        .version = "TensorRT 8.4 to 10",
        .device = "GPU",
        .condition = Condition::kQuantizedOutput,
        .fuses = "a Conv whose output is quantized right after it writes INT8",
        .stays = "otherwise it reads INT8 and writes float",
        .because = "",
        .cure = "",
        .proof = Proof::kRecorded,
        .source =
            "recorded ResNet-18 engines of TensorRT 8.4; NVIDIA TensorRT Developer Guide, Q/DQ "
            "Layer-Placement Recommendations"},
    EngineRule{.id = "tensorrt-zero-point",
               .engine = kTensorrt,
               .version = "TensorRT 8.4 to 10",
               .device = "GPU",
               .condition = Condition::kZeroPoint,
               .fuses = "Q/DQ with zero point 0 are accepted",
               .stays = "others are refused",
               .because = "",
               .cure = "Quantize symmetrically: zero point 0",
               .proof = Proof::kDocumented,
               .source = "TensorRT's ONNX parser"},
    EngineRule{.id = "tensorrt-scale-rank",
               .engine = kTensorrt,
               .version = "TensorRT 8.4 to 10",
               .device = "GPU",
               .condition = Condition::kScaleRank,
               .fuses = "scalars and lists of one value are assumed to behave the same",
               .stays = "no difference was seen",
               .because = "",
               .cure = "",
               .proof = Proof::kNotProven,
               .source = "not tried: its builder needs a GPU"},
};

constexpr std::array<std::string_view, 20> kConditions = {"quantized-output",
                                                          "equal-types",
                                                          "activation-behind",
                                                          "normalization-behind",
                                                          "addition-behind",
                                                          "other-readers",
                                                          "transposed-convolution",
                                                          "summands",
                                                          "product-output",
                                                          "gemm-output",
                                                          "scale-rank",
                                                          "zero-point",
                                                          "fp8-products",
                                                          "dynamic-convolution",
                                                          "dynamic-product",
                                                          "operator-form",
                                                          "product-weights",
                                                          "convolution-weights",
                                                          "weight-zero-point",
                                                          "written-type"};
constexpr std::array<std::string_view, 4> kProofs = {"built", "recorded", "documented",
                                                     "not-proven"};

}  // namespace

std::span<const EngineRule> engine_rules() { return kEngineRules; }

const EngineRule* find_engine_rule(std::string_view engine, Condition condition) {
  const auto found = std::ranges::find_if(kEngineRules, [&](const EngineRule& rule) {
    return rule.engine == engine && rule.condition == condition;
  });
  return found == kEngineRules.end() ? nullptr : &*found;
}

const EngineRule* find_engine_rule(std::string_view id) {
  const auto found = std::ranges::find(kEngineRules, id, &EngineRule::id);
  return found == kEngineRules.end() ? nullptr : &*found;
}

std::string_view to_string(Condition condition) {
  return kConditions[static_cast<std::size_t>(condition)];
}

std::string_view to_string(Proof proof) { return kProofs[static_cast<std::size_t>(proof)]; }

}  // namespace planex::engines
