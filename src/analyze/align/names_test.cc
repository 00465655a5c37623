#include "analyze/align/names.h"

#include <gtest/gtest.h>

namespace planex::analyze::matching {
namespace {

std::string cleaned(std::string_view name) {
  std::string text;
  clean_name(name, text);
  return text;
}

bool is_counted(std::string_view name) {
  std::string text;
  return clean_name(name, text);
}

TEST(CleanName, CutsTheCompilersNumbers) {
  EXPECT_EQ(cleaned("/fc/MatMul_myl0_17"), "/fc/MatMul_myl");
  EXPECT_EQ(cleaned("__myl_AddMul_myl12_3"), "__myl_AddMul_myl");
  EXPECT_EQ(cleaned("__mye123_hc_init_myl0_0"), "__mye_hc_init_myl");
  EXPECT_EQ(cleaned("(Unnamed Layer* 307) [Shuffle] + fc.bias"),
            "(Unnamed Layer* ) [Shuffle] + fc.bias");
  EXPECT_EQ(cleaned("layer1.0.conv1"), "layer1.0.conv1");
  EXPECT_EQ(cleaned(""), "");
}

TEST(CleanName, TellsWhetherAnExporterCounted) {
  EXPECT_TRUE(is_counted("Conv_34 + Relu_35"));
  EXPECT_TRUE(is_counted("fc.weight + PWN(Clip_33)"));
  EXPECT_TRUE(is_counted("Multiply_9331"));
  EXPECT_FALSE(is_counted("/layer1/layer1.0/conv1/Conv"));
  EXPECT_FALSE(is_counted("conv1_myl0_17"));
}

TEST(CountedName, IsAWordAndANumber) {
  EXPECT_EQ(counted_name("Conv_34")->word, "Conv");
  EXPECT_EQ(counted_name("Conv_34")->number, 34U);
  EXPECT_EQ(counted_name("Conv__435")->number, 435U);
  EXPECT_FALSE(counted_name("conv1"));
  EXPECT_FALSE(counted_name("_12"));
  EXPECT_FALSE(counted_name("Conv_"));
  EXPECT_FALSE(counted_name("Conv_3a"));
  EXPECT_FALSE(counted_name("Conv_99999999999999999999999"));
}

TEST(NameBeforeFusion, IsThatOfTheModel) {
  EXPECT_EQ(name_before_fusion("/conv1/Conv_output_0_nchwc"), "/conv1/Conv");
  EXPECT_EQ(name_before_fusion("r1_nchwc"), "r1");
  EXPECT_EQ(name_before_fusion("l0.c1.relu_out_nchwc"), "l0.c1");
  EXPECT_EQ(name_before_fusion("stem_token_70"), "stem");
  EXPECT_EQ(name_before_fusion("Transpose_token_69"), "Transpose_token_69");
  EXPECT_EQ(name_before_fusion("resblocks.1.2.convs2_quant"), "resblocks.1.2.convs2");
  EXPECT_EQ(name_before_fusion("block.conv_fused"), "block.conv");
  EXPECT_EQ(name_before_fusion("/fc/MatMul/MatMulAddFusion"), "/fc/MatMul");
  EXPECT_EQ(name_before_fusion("/act/Mul/QuickGeluFusion/"), "/act/Mul");
  EXPECT_EQ(name_before_fusion("fused /conv1/Conv"), "/conv1/Conv");
  for (const std::string_view name :
       {"/conv1/Conv", "x_output_0", "_nchw", "Fusion", "/Fusion", ""}) {
    EXPECT_EQ(name_before_fusion(name), name);
  }
}

TEST(MovingKernel, DoesNothingElse) {
  EXPECT_TRUE(is_moving_kernel("__myl_ConcTran_myl0_0"));
  EXPECT_TRUE(is_moving_kernel("__myl_Move_myl0_4"));
  EXPECT_FALSE(is_moving_kernel("__myl_CastMulCast_myl0_5"));
  EXPECT_FALSE(is_moving_kernel("__myl__myl0_5"));
  EXPECT_FALSE(is_moving_kernel("Cast"));
}

TEST(Operations, AreKnownByTypeOrName) {
  EXPECT_TRUE(names_product("anything", "Conv"));
  EXPECT_TRUE(names_product("/layer1/conv1/Conv", ""));
  EXPECT_TRUE(names_product("layer1.0.conv1.weight", ""));
  EXPECT_TRUE(names_product("MatMul_12", ""));
  EXPECT_FALSE(names_product("QuantizeLinear_12", ""));
  EXPECT_FALSE(names_product("/layer1/relu/Relu", ""));
  EXPECT_TRUE(names_movement("QuantizeLinear_12", ""));
  EXPECT_TRUE(names_movement("conv1.input.QuantizeLinear", ""));
  EXPECT_TRUE(names_movement("x", "Transpose"));
  EXPECT_FALSE(names_movement("/layer1/Add", ""));
}

}  // namespace
}  // namespace planex::analyze::matching
