#include "ingest/families.h"

#include <gtest/gtest.h>

namespace planex::ingest {
namespace {

using model::Family;
using model::Role;

TEST(FamilyOf, KnowsTheTypesOfRealEngines) {
  EXPECT_EQ(family_of("Convolution"), Family::kConvolution);
  EXPECT_EQ(family_of("ConvActPool"), Family::kConvolution);
  EXPECT_EQ(family_of("Deconvolution"), Family::kConvolution);
  EXPECT_EQ(family_of("correlation"), Family::kConvolution);
  EXPECT_EQ(family_of("MatrixMultiply"), Family::kGemm);
  EXPECT_EQ(family_of("gemm"), Family::kGemm);
  EXPECT_EQ(family_of("kgen"), Family::kOpaque);
  EXPECT_EQ(family_of("Myelin"), Family::kOpaque);
  EXPECT_EQ(family_of("PointWise"), Family::kPointwise);
  EXPECT_EQ(family_of("ElementWise"), Family::kPointwise);
  EXPECT_EQ(family_of("SoftMax"), Family::kNorm);
  EXPECT_EQ(family_of("Scale"), Family::kNorm);
  EXPECT_EQ(family_of("Pooling"), Family::kPool);
  EXPECT_EQ(family_of("Reduce"), Family::kPool);
  EXPECT_EQ(family_of("Resize"), Family::kShuffle);
  EXPECT_EQ(family_of("Slice"), Family::kShuffle);
  EXPECT_EQ(family_of("Shuffle"), Family::kShuffle);
  EXPECT_EQ(family_of("PluginV2"), Family::kPlugin);
  EXPECT_EQ(family_of("Reformat"), Family::kReformat);
  EXPECT_EQ(family_of("MyelinReformat"), Family::kReformat);
}

TEST(FamilyOf, KnowsOperationsThatCountersName) {
  EXPECT_EQ(family_of("FullyConnectedQuantizedLegacy"), Family::kGemm);
  EXPECT_EQ(family_of("ReduceMean"), Family::kPool);
  EXPECT_EQ(family_of("MaxPool"), Family::kPool);
  EXPECT_EQ(family_of("Add"), Family::kPointwise);
}

TEST(FamilyOf, GoesByTheLastWords) {
  EXPECT_EQ(family_of("CaskConvolution"), Family::kConvolution);
  EXPECT_EQ(family_of("CublasConvolution"), Family::kConvolution);
  EXPECT_EQ(family_of("CaskDeconvolutionV2"), Family::kConvolution);
  EXPECT_EQ(family_of("GemmDeconvolution"), Family::kConvolution);
  EXPECT_EQ(family_of("QLinearConvTranspose"), Family::kConvolution);
  EXPECT_EQ(family_of("CaskGemmMatrixMultiply"), Family::kGemm);
  EXPECT_EQ(family_of("scaled_dot_product_attention"), Family::kGemm);
  EXPECT_EQ(family_of("DynamicQuantizeLSTM"), Family::kGemm);
  EXPECT_EQ(family_of("PointWiseV2"), Family::kPointwise);
  EXPECT_EQ(family_of("CaskSoftMaxV2"), Family::kNorm);
  EXPECT_EQ(family_of("SkipSimplifiedLayerNormalization"), Family::kNorm);
  EXPECT_EQ(family_of("TiledPooling"), Family::kPool);
  EXPECT_EQ(family_of("ROIPooling"), Family::kPool);
  EXPECT_EQ(family_of("roipooling"), Family::kPool);
  EXPECT_EQ(family_of("reduce_max"), Family::kPool);
  EXPECT_EQ(family_of("StridedSlice"), Family::kShuffle);
  EXPECT_EQ(family_of("Permute"), Family::kShuffle);
  EXPECT_EQ(family_of("Crop"), Family::kShuffle);
  EXPECT_EQ(family_of("PluginV3"), Family::kPlugin);
}

TEST(FamilyOf, TakesNoPartOfAWordForIt) {
  EXPECT_EQ(family_of("Quantile"), Family::kOther);
  EXPECT_EQ(family_of("quantile"), Family::kOther);
  EXPECT_EQ(family_of("TensorMax"), Family::kOther);
  EXPECT_EQ(family_of("V2"), Family::kOther);
  EXPECT_EQ(family_of("__"), Family::kOther);
}

TEST(FamilyOf, IgnoresCaseAndTakesUnknownTypesAsLegal) {
  EXPECT_EQ(family_of("CONVOLUTION"), Family::kConvolution);
  EXPECT_EQ(family_of("TrainStation"), Family::kOther);
  EXPECT_EQ(family_of(""), Family::kOther);
}

TEST(RoleOf, TellsBookKeepingFromWork) {
  EXPECT_EQ(role_of("NoOp"), Role::kNoOp);
  EXPECT_EQ(role_of("Constant"), Role::kConstant);
  EXPECT_EQ(role_of("signal"), Role::kSignal);
  EXPECT_EQ(role_of("wait"), Role::kWait);
  EXPECT_EQ(role_of("shape_call"), Role::kShape);
  EXPECT_EQ(role_of("Parameter"), Role::kInput);
  EXPECT_EQ(role_of("Result"), Role::kOutput);
  EXPECT_EQ(role_of("CaskConvolution"), Role::kWork);
  EXPECT_EQ(role_of(""), Role::kWork);
}

}  // namespace
}  // namespace planex::ingest
