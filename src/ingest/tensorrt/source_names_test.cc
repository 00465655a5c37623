#include "ingest/tensorrt/source_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace planex::ingest::tensorrt {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> sources(std::string_view text, bool metadata) {
  model::ModelBuilder builder;
  const model::LayerId layer = builder.add_layer(builder.strings().intern("layer"));
  if (metadata) {
    add_sources_of_metadata(layer, text, builder);
  } else {
    add_sources_of_name(layer, text, builder);
  }
  const model::PlanModel model = builder.finish();
  std::vector<std::string> names;
  for (std::size_t row = 0; row < model.sources.row_count(); ++row) {
    names.emplace_back(model.text(model.sources.op_name[row]));
    EXPECT_EQ(model.sources.evidence[row],
              metadata ? model::Evidence::kMetadata : model::Evidence::kName);
  }
  return names;
}
std::vector<std::string> of_metadata(std::string_view text) { return sources(text, true); }
std::vector<std::string> of_name(std::string_view text) { return sources(text, false); }

TEST(SourcesOfMetadata, SplitsAtBothSeparators) {
  EXPECT_THAT(of_metadata(""), IsEmpty());
  EXPECT_THAT(of_metadata("[ONNX Layer: /conv1/Conv]"), ElementsAre("/conv1/Conv"));
  EXPECT_THAT(of_metadata("[ONNX Layer: a]\x1e[ONNX Layer: b]"), ElementsAre("a", "b"));
  EXPECT_THAT(of_metadata("[ONNX Layer: a]\x1f[ONNX Layer: b]\x1e[ONNX Layer: c]"),
              ElementsAre("a", "b", "c"));
  EXPECT_THAT(of_metadata("\x1e\x1e[ONNX Layer: a]\x1e"), ElementsAre("a"));
}

TEST(SourcesOfMetadata, KeepsBracketsOfNames) {
  EXPECT_THAT(of_metadata("[ONNX Layer: a[0]]\x1e[ONNX Layer: b]c]"), ElementsAre("a[0]", "b]c"));
  EXPECT_THAT(of_metadata("[ONNX Layer: a"), ElementsAre("[ONNX Layer: a"));
  EXPECT_THAT(of_metadata("[Torch Layer: a]"), ElementsAre("[Torch Layer: a]"));
}

TEST(SourcesOfMetadata, NodesOfSubgraphsAreNamedWithoutTheGraphsAroundThem) {
  EXPECT_THAT(
      sources("[ONNX Layer: myif]\x1f[ONNX Layer: s | then (then_branch) | myif (If)]", true),
      ElementsAre("myif", "s"));
  EXPECT_THAT(
      sources("[ONNX Layer: a | b]\x1f[ONNX Layer: a | f(x)]\x1f[ONNX Layer: | (If)]", true),
      ElementsAre("a | b", "a | f(x)", "| (If)"));
}

TEST(SourcesOfName, SplitsFusedNames) {
  EXPECT_THAT(of_name("Conv_3"), ElementsAre("Conv_3"));
  EXPECT_THAT(of_name("a.weight + QuantizeLinear_7 + Conv_9 + Relu_11"),
              ElementsAre("a.weight", "QuantizeLinear_7", "Conv_9", "Relu_11"));
  EXPECT_THAT(of_name("a || b || c"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(of_name("PWN(PWN(a), b)"), ElementsAre("a", "b"));
  EXPECT_THAT(of_name("PWN(Sigmoid_1, Mul_2)"), ElementsAre("Sigmoid_1", "Mul_2"));
  EXPECT_THAT(of_name("Conv_1 + PWN(a, b)"), ElementsAre("Conv_1", "a", "b"));
}

TEST(SourcesOfName, BracketsProtect) {
  EXPECT_THAT(of_name("{ForeignNode[a + b...c]}"), ElementsAre("b", "c"));
  EXPECT_THAT(of_name("[trainStation1]"), ElementsAre("[trainStation1]"));
  EXPECT_THAT(of_name("[CONVOLUTION]-[aten_ops.convolution.default]-[/features/0/convolution] + x"),
              ElementsAre("/features/0/convolution", "x"));
}

TEST(SourcesOfName, TorchNamesTellTheOperation) {
  model::ModelBuilder builder;
  const base::StringId name = builder.strings().intern("[RELU]-[aten_ops.relu.default]-[/1/relu]");
  const model::LayerId layer = builder.add_layer(name);
  add_sources_of_name(layer, builder.strings().view(name), builder);
  const model::PlanModel model = builder.finish();
  ASSERT_EQ(model.sources.row_count(), 1u);
  EXPECT_EQ(model.text(model.sources.op_name[0]), "/1/relu");
  EXPECT_EQ(model.text(model.sources.op_type[0]), "aten_ops.relu.default");
  EXPECT_THAT(of_name("[A]-[B]"), ElementsAre("[A]-[B]"));
  EXPECT_THAT(of_name("[A]-[B]-[]"), ElementsAre("[A]-[B]-[]"));
  EXPECT_THAT(of_name("[A]-[B]-[c"), ElementsAre("[A]-[B]-[c"));
}

TEST(SourcesOfName, MarksOfProfilesAreLeftOut) {
  EXPECT_THAT(of_name("conv1 + relu1 [profile 1]"), ElementsAre("conv1", "relu1"));
  EXPECT_THAT(of_name("conv1 [profile 12] + relu1 [profile 12]"), ElementsAre("conv1", "relu1"));
  EXPECT_THAT(of_name("conv1 [profile x]"), ElementsAre("conv1 [profile x]"));
}

TEST(SourcesOfName, CommasOutsidePointwiseStay) {
  EXPECT_THAT(of_name("name, with comma"), ElementsAre("name, with comma"));
}

TEST(SourcesOfName, WhatTensorRtMadeHasNoSource) {
  EXPECT_THAT(of_name("Reformatting CopyNode for Input Tensor 0 to Conv_3"), IsEmpty());
  EXPECT_THAT(of_name("__myl_MaxMinCas_myl0_3"), IsEmpty());
  EXPECT_THAT(of_name("Gemm_305 + fc.bias + (Unnamed Layer* 354) [Shuffle]"),
              ElementsAre("Gemm_305", "fc.bias"));
  EXPECT_THAT(of_name(""), IsEmpty());
}

TEST(SourcesOfName, TakesOddNamesApartWithoutLosingPlace) {
  EXPECT_THAT(of_name("a +  + b"), ElementsAre("a", "b"));
  EXPECT_THAT(of_name("a + + b"), ElementsAre("a", "+ b"));
  EXPECT_THAT(of_name(" + "), IsEmpty());
  EXPECT_THAT(of_name("a + "), ElementsAre("a"));
  EXPECT_THAT(of_name("]a + b"), ElementsAre("]a", "b"));
  EXPECT_THAT(of_name("[a + b"), ElementsAre("[a + b"));
  EXPECT_THAT(of_name("a || || b"), ElementsAre("a", "|| b"));
}

}  // namespace
}  // namespace planex::ingest::tensorrt
