#include "analyze/generated_kernels.h"

#include <gtest/gtest.h>

#include "support/test_data.h"

namespace planex::analyze {
namespace {

TEST(GeneratedKind, SaysWhatTheNamesOfRealKernelsTell) {
  EXPECT_EQ(generated_kind("_gemm_mha_v2_myl2_2"), "attention");
  EXPECT_EQ(generated_kind("__myl_FcAddDivErfAddMulMul_myl0_7"), "matrix product");
  EXPECT_EQ(generated_kind("__myl_CorrSilu_myl0_7"), "convolution");
  EXPECT_EQ(generated_kind("__myl_AddAddMeanSubMulMeanAddSqrtDivMulMulAdd_myl0_7"),
            "normalization");
  // Its second half, where the first is in the kernel before.
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

}  // namespace
}  // namespace planex::analyze
