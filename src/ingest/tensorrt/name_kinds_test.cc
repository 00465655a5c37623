#include "ingest/tensorrt/name_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "ingest/families.h"

namespace planex::ingest::tensorrt {
namespace {

using ::testing::Optional;
using ::testing::Pair;

TEST(KindInName, IsTheOperatorThatTheNameEndsIn) {
  EXPECT_EQ(kind_in_name("Conv_9"), "Conv");
  EXPECT_EQ(kind_in_name("/backbone/MaxPool"), "MaxPool");
  EXPECT_EQ(kind_in_name("model.0/conv/Conv"), "Conv");
  EXPECT_EQ(kind_in_name("/neck/Resize_1"), "Resize");
  EXPECT_EQ(kind_in_name("resnet50/conv1_conv/Conv2D"), "Conv");
  EXPECT_EQ(kind_in_name("GlobalAveragePool_102"), "GlobalAveragePool");
  EXPECT_EQ(kind_in_name("/blocks_2/mlp/fc2/MatMul_myl2_20"), "MatMul");
  EXPECT_EQ(kind_in_name("conv1_1"), "Convolution");
  EXPECT_EQ(kind_in_name("conv1/7x7_s2"), "Convolution");
  EXPECT_EQ(kind_in_name("pool2/3x3_s2"), "Pooling");
  EXPECT_EQ(kind_in_name("fc1000"), "FullyConnected");
  EXPECT_EQ(kind_in_name("upsample"), "Resize");
  EXPECT_EQ(kind_in_name("[CONVOLUTION]-[aten_ops.convolution.default]-[/features/0/convolution]"),
            "Convolution");
  EXPECT_EQ(kind_in_name("[MAX]-[aten_ops.max_pool2d.default]-[/features/2/max_pool2d_default]"),
            "Pooling");
  EXPECT_EQ(kind_in_name("cuBLAS/fc1"), "MatrixMultiply");
}

TEST(KindInName, OfFusedNamesIsWhatTheLayerIsMainlyAbout) {
  EXPECT_EQ(kind_in_name("Conv_9 + Relu_10"), "Conv");
  EXPECT_EQ(kind_in_name("Conv_5 + Add_6 + Relu_7"), "Conv");
  EXPECT_EQ(kind_in_name("Conv_1 || Conv_4"), "Conv");
  EXPECT_EQ(kind_in_name("fc.weight + QuantizeLinear_110_quantize_scale_node + Gemm_112"), "Gemm");
  EXPECT_EQ(kind_in_name("features.11.conv.2.weight + QuantizeLinear_46 + Conv_9 + PWN(Clip_5)"),
            "Conv");
  EXPECT_EQ(kind_in_name("PWN(PWN(/act/Sigmoid), /act/Mul)"), "PointWise");
  EXPECT_EQ(kind_in_name("PWN((Unnamed Layer* 9) [Constant] + (Unnamed Layer* 1) [ElementWise])"),
            "PointWise");
  EXPECT_EQ(kind_in_name("backbone.bn.running_var + (Unnamed Layer* 108) [Shuffle]"), "Shuffle");
  // The unknown part may be the important one.
  EXPECT_EQ(kind_in_name("inception_3a/3x3 + inception_3a/relu_3x3"), "");
}

TEST(KindInName, OfWhatTensorRtPutsIn) {
  EXPECT_EQ(kind_in_name("Reformatting CopyNode for Input Tensor 0 to Conv_0 + Relu_1"),
            "Reformat");
  EXPECT_EQ(kind_in_name("Reformatted Input Tensor 0 to Conv_0"), "Reformat");
  EXPECT_EQ(kind_in_name("conv1 + conv1_relu input reformatter 0"), "Reformat");
  EXPECT_EQ(kind_in_name("pool2/3x3_s2 output reformatter 12"), "Reformat");
  EXPECT_EQ(kind_in_name("{ForeignNode[a.../Unsqueeze_2]}"), "ForeignNode");
  EXPECT_EQ(kind_in_name("{ForeignNode[w + (Unnamed Layer* 5) [Shuffle].../out/MatMul]}"),
            "ForeignNode");
  EXPECT_EQ(kind_in_name("(Unnamed Layer* 3) [Shuffle]"), "Shuffle");
  EXPECT_EQ(kind_in_name("(Unnamed Layer* 3) [Fully Connected]"), "Fully Connected");
  EXPECT_EQ(kind_in_name("(Unnamed Layer* 718) [NMS]_1_output[DevicetoShapeHostCopy]"),
            "DevicetoShapeHostCopy");
  EXPECT_EQ(kind_in_name("(Unnamed Layer* 714) [Constant]"), "Constant");
  EXPECT_EQ(kind_in_name("dummy_shape_call__mye548_0_myl24_0"), "shape_call");
  EXPECT_EQ(kind_in_name("__myl_MulAddMeanSub_myl2_77"), "kgen");
  EXPECT_EQ(kind_in_name("reshape_after_/emb_layers/emb_layers.1/Gemm"), "Shuffle");
  EXPECT_EQ(kind_in_name("/Concat_/neck/Resize_output_0_clone_0 copy"), "Copy");
}

TEST(KindInName, OfQuantizersAndCasts) {
  EXPECT_EQ(kind_in_name("QuantizeLinear_20_quantize_scale_node"), "QuantizeLinear");
  EXPECT_EQ(kind_in_name("DequantizeLinear_21_dequantize_scale_node"), "DequantizeLinear");
  EXPECT_EQ(kind_in_name("/conv/_input_quantizer/QuantizeLinear_clone_1"), "QuantizeLinear");
  EXPECT_EQ(kind_in_name("x_QuantizeLinear"), "QuantizeLinear");
  EXPECT_EQ(kind_in_name("QuantLinearNode__1121"), "QuantizeLinear");
  EXPECT_EQ(kind_in_name("/out_layers.0/Cast_1"), "Cast");
}

TEST(KindInName, StaysOpenWhereWordsMeanSeveralThings) {
  EXPECT_EQ(kind_in_name(""), "");
  EXPECT_EQ(kind_in_name("prob"), "");
  EXPECT_EQ(kind_in_name("layer1.0"), "");
  EXPECT_EQ(kind_in_name("my conv thing"), "");
  // TensorFlow's Mean is a reduction, ONNX's is not.
  EXPECT_EQ(kind_in_name("resnet50/avg_pool/Mean"), "");
  // tf2onnx calls the convolution after its bias, and the transposes before it after the
  // convolution.
  EXPECT_EQ(kind_in_name("resnet50/conv1_conv/BiasAdd"), "");
  EXPECT_EQ(kind_in_name("resnet50/conv1_conv/Conv2D__6"), "");
  // Not a copy, but a layer with such a name.
  EXPECT_EQ(kind_in_name("my input reformatter"), "");
  EXPECT_EQ(kind_in_name(" + || , PWN()"), "");
}

TEST(ForeignEnds, AreTheFirstAndTheLast) {
  EXPECT_THAT(foreign_ends("{ForeignNode[/a/Conv.../b/Concat_1]}"),
              Optional(Pair("/a/Conv", "/b/Concat_1")));
  EXPECT_THAT(foreign_ends("{ForeignNode[w + (Unnamed Layer* 5) [Shuffle]...b]}"),
              Optional(Pair("w + (Unnamed Layer* 5) [Shuffle]", "b")));
  EXPECT_EQ(foreign_ends("{ForeignNode[a]}"), std::nullopt);
  EXPECT_EQ(foreign_ends("{ForeignNode[...b]}"), std::nullopt);
  EXPECT_EQ(foreign_ends("{ForeignNode["), std::nullopt);
  EXPECT_EQ(foreign_ends("{ForeignNode]}"), std::nullopt);
  EXPECT_EQ(foreign_ends("a...b"), std::nullopt);
}

}  // namespace
}  // namespace planex::ingest::tensorrt
