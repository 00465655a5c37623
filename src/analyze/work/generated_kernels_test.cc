#include "analyze/work/generated_kernels.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

#include "support/test_data.h"

namespace planex::analyze {
namespace {

TEST(GeneratedKind, SaysWhatTheNamesOfRealKernelsTell) {
  EXPECT_EQ(generated_kind("_gemm_mha_v2_myl2_2"), "attention");
  EXPECT_EQ(generated_kind("__myl_FcAddDivErfAddMulMul_myl0_7"), "matrix product");
  EXPECT_EQ(generated_kind("__myl_CorrSilu_myl0_7"), "convolution");
  EXPECT_EQ(generated_kind("__myl_AddAddMeanSubMulMeanAddSqrtDivMulMulAdd_myl0_7"),
            "normalization");
  // Its second half, where the first half is in the kernel before.
  EXPECT_EQ(generated_kind("__myl_AddSqrtDivMulMulAddSlicTranResh_myl0_7"), "normalization");
  EXPECT_EQ(generated_kind("__myl_MaxrSubExpSumDiv_myl0_7"), "softmax");
  EXPECT_EQ(generated_kind("__myl_MaxSubExpSumDiv_myl0_7"), "softmax");
  EXPECT_EQ(generated_kind("__myl_TranMean_myl0_7"), "reduction");
  EXPECT_EQ(generated_kind("__myl_ReluMulCast_myl0_7"), "pointwise");
  EXPECT_EQ(generated_kind("__myl_MaxMinCas_myl0_7"), "pointwise");
  EXPECT_EQ(generated_kind("__myl_MulMinMaxRounCast_myl0_7"), "quantization");
  EXPECT_EQ(generated_kind("__myl_CastReshCast_myl0_7"), "data movement");
  EXPECT_EQ(generated_kind("__myl_Tran_myl0_7"), "data movement");
}

TEST(GeneratedKind, SaysNothingThatTheNameDoesNotTell) {
  EXPECT_EQ(generated_kind("conv1"), "");
  EXPECT_EQ(generated_kind("__myl_"), "");
  EXPECT_EQ(generated_kind("__myl_AddQqqq_myl0_7"), "");
  EXPECT_EQ(generated_kind("__myl_AddMulCastEtc_myl0_7"), "");
  EXPECT_EQ(generated_kind("__myl_FcMulSum_myl0_7"), "");
}

TEST(GeneratedTypes, AreThoseOfKgenAlone) {
  const model::PlanModel model = test::must(test::load_texts(
      R"({"Layers": [{"Name": "__myl_Relu_myl0_1", "LayerType": "kgen", "Inputs": [],
                      "Outputs": []},
                     {"Name": "__myl_Fc_myl0_2", "LayerType": "fusion", "Inputs": [],
                      "Outputs": []}]})"));
  EXPECT_EQ(model.text(model.layers.type[0]), "pointwise (kgen)");
  EXPECT_EQ(model.text(model.layers.raw_type[0]), "kgen");
  EXPECT_EQ(model.text(model.layers.type[1]), "fusion");
}

// TensorRT-RTX's fusions around a product are products wherever they are counted.
TEST(FusedProducts, AreOfTheFamilyOfTheirProduct) {
  const model::PlanModel model = test::must(test::load_texts(
      R"({"Layers": [
        {"Name": "__myl_CorrMaxMin_myl0_1", "LayerType": "runtime_fusion", "Inputs": [],
         "Outputs": [], "Metadata": "[ONNX Layer: groupconv][ONNX Layer: relu6]"},
        {"Name": "__myl_FcAddErf_myl0_2", "LayerType": "runtime_fusion", "Inputs": [],
         "Outputs": []},
        {"Name": "__myl_DecoMulMax_myl0_3", "LayerType": "runtime_fusion", "Inputs": [],
         "Outputs": []},
        {"Name": "__myl_CorrFc_myl0_4", "LayerType": "runtime_fusion", "Inputs": [],
         "Outputs": []},
        {"Name": "__myl_ReluAdd_myl0_5", "LayerType": "runtime_fusion", "Inputs": [],
         "Outputs": []}]})"));
  using model::Family;
  const std::vector<std::pair<Family, std::string_view>> expected = {
      {Family::kConvolution, "convolution (runtime_fusion)"},
      {Family::kGemm, "matrix product (runtime_fusion)"},
      {Family::kConvolution, "convolution (runtime_fusion)"},
      {Family::kOpaque, "runtime_fusion"},
      {Family::kOpaque, "runtime_fusion"}};
  ASSERT_EQ(model.layers.row_count(), expected.size());
  for (std::size_t row = 0; row < expected.size(); ++row) {
    SCOPED_TRACE(row);
    EXPECT_EQ(model.layers.family[row], expected[row].first);
    EXPECT_EQ(model.text(model.layers.type[row]), expected[row].second);
    EXPECT_EQ(model.text(model.layers.raw_type[row]), "runtime_fusion");
  }
}

// In the real engine, the sources show it too: two convolutions and one transposed convolution.
TEST(FusedProducts, OfARealEngineAreCounted) {
  PLANEX_NEED_TEST_DATA(data);
  const model::PlanModel model = test::must(test::load_engine(data, "rtx1.7-misc-ops"));
  std::size_t count = 0;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (model.text(model.layers.raw_type[row]) != "runtime_fusion") continue;
    EXPECT_EQ(model.layers.family[row], model::Family::kConvolution);
    EXPECT_FALSE(model.layers.macs.is_null(row));
    ++count;
  }
  EXPECT_EQ(count, 3U);
}

}  // namespace
}  // namespace planex::analyze
