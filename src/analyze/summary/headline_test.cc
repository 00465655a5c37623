// The subject of an engine's first sentence, and what counts as a reformat.
#include "analyze/summary/headline.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyze/explain/explain_test_engine.h"
#include "analyze/reformats/reformats.h"
#include "analyze/summary/summary.h"

namespace planex::analyze {
namespace {

using model::Family;
using model::LayerId;

LayerOfTest timed_layer(std::string_view name, std::string_view type, Family family,
                        std::string_view reads, std::string_view writes, double ms) {
  return {name, type, family, {{reads}}, {{writes}}, ms};
}

TEST(Headline, IsAboutWhatTakesMostTime) {
  // 5 % converts, one layer takes 85 %.
  const auto engine = make_engine("tensorrt",
                                  {timed_layer("copy", "Reformat", Family::kReformat, "x", "a", 5),
                                   timed_layer("slow", "MatMul", Family::kGemm, "a", "b", 85),
                                   timed_layer("end", "Relu", Family::kPointwise, "b", "y", 10)},
                                  {"x", "y"});
  const auto headline = find_headline(engine.model, engine.time);
  ASSERT_TRUE(headline);
  EXPECT_EQ(headline->kind, HeadlineKind::kLayer);
  EXPECT_EQ(headline->layer, LayerId(1));
  EXPECT_DOUBLE_EQ(headline->share, 0.85);
}

TEST(Headline, CountsOnlyTheWarningsThatSpeakOfIt) {
  auto engine = make_engine("tensorrt",
                            {timed_layer("copy", "Reformat", Family::kReformat, "x", "a", 3),
                             timed_layer("conv", "Convolution", Family::kConvolution, "a", "b", 7)},
                            {"x", "b"});
  model::FindingsTable& findings = engine.model.findings;
  for (const std::size_t layer : {0U, 1U, 1U, 0U}) {
    const std::size_t row = findings.add_row();
    findings.layer_id.set(row, LayerId(layer));
    findings.severity.set(row, row == 3 ? model::Severity::kInfo : model::Severity::kWarning);
  }
  findings.severity.set(findings.add_row(), model::Severity::kWarning);  // of the whole engine
  auto headline = find_headline(engine.model, engine.time);
  ASSERT_TRUE(headline);
  EXPECT_EQ(headline->kind, HeadlineKind::kLayer);
  EXPECT_EQ(headline->warnings, 2);
  engine.model.layers.median_ms.set(1, 2);
  engine.time = complete(engine.model);
  headline = find_headline(engine.model, engine.time);
  ASSERT_TRUE(headline);
  EXPECT_EQ(headline->kind, HeadlineKind::kReformats);
  EXPECT_EQ(headline->warnings, 1);
}

TEST(Headline, OfOneLayerSaysThatThereIsNoOther) {
  const auto engine = make_engine(
      "tensorrt", {timed_layer("all", "Myelin", Family::kOpaque, "x", "y", 1.5)}, {"x", "y"});
  const auto headline = find_headline(engine.model, engine.time);
  ASSERT_TRUE(headline);
  EXPECT_EQ(headline->kind, HeadlineKind::kOnly);
}

// Twelve equal attention kernels of 2 ms, and twelve products of one kernel and twelve shapes.
EngineOfTest attention_engine(double product_ms) {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (int i = 0; i < 25; ++i) names.push_back("t" + std::to_string(i));
    return names;
  }();
  std::vector<LayerOfTest> layers;
  for (std::size_t i = 0; i < 12; ++i) {
    layers.push_back(
        timed_layer("_gemm_mha_v2", "kgen", Family::kOpaque, kNames[2 * i], kNames[2 * i + 1], 2));
    layers.push_back(timed_layer("fc", "MatMul", Family::kGemm, kNames[2 * i + 1],
                                 kNames[2 * i + 2], product_ms));
    layers.back().outputs[0].dims = {1, 32, 8, static_cast<std::int64_t>(i) + 1};
  }
  return make_engine("tensorrt", layers, {"t0", "t24"});
}

TEST(Headline, EqualLayersCountTogether) {
  const auto engine = attention_engine(2);
  const auto headline = find_headline(engine.model, engine.time);
  ASSERT_TRUE(headline);
  EXPECT_EQ(headline->kind, HeadlineKind::kRepeated);
  EXPECT_EQ(headline->count, 12);
  EXPECT_DOUBLE_EQ(headline->share, 0.5);
  EXPECT_EQ(work_of_layer(engine.model, headline->layer), "attention");
}

// A fifth is equal attention kernels, and four fifths are products.
TEST(Headline, IsNotAboutAFifthWhereATypeTakesTheRest) {
  const auto engine = attention_engine(8);
  const auto headline = find_headline(engine.model, engine.time);
  ASSERT_TRUE(headline);
  EXPECT_EQ(headline->kind, HeadlineKind::kType);
  EXPECT_EQ(headline->count, 12);
  EXPECT_DOUBLE_EQ(headline->share, 0.8);
  EXPECT_EQ(engine.model.text(engine.model.layers.type[headline->layer.index()]), "MatMul");
}

TEST(Headline, IsNotAboutAFewConversionsWhereATypeTakesMore) {
  const auto engine = make_engine("tensorrt",
                                  {timed_layer("copy", "Reformat", Family::kReformat, "x", "a", 7),
                                   timed_layer("b0", "Myelin", Family::kOpaque, "a", "b", 22),
                                   timed_layer("b1", "Myelin", Family::kOpaque, "b", "c", 20),
                                   timed_layer("conv", "Conv", Family::kConvolution, "c", "d", 18),
                                   timed_layer("conv2", "Conv", Family::kConvolution, "d", "e", 19),
                                   timed_layer("end", "Relu", Family::kPointwise, "e", "y", 14)},
                                  {"x", "y"});
  const auto headline = find_headline(engine.model, engine.time);
  ASSERT_TRUE(headline);
  EXPECT_EQ(headline->kind, HeadlineKind::kType);
  EXPECT_EQ(headline->layer, LayerId(1));
  EXPECT_DOUBLE_EQ(headline->share, 0.42);
}

// An INT8 backbone with a head that is not quantized; without the flag it runs in FP32.
EngineOfTest engine_with_head(std::string_view producer, model::DType head) {
  constexpr auto kInt8 = model::DType::kInt8;
  return make_engine(
      producer,
      {{"c1", "Convolution", Family::kConvolution, {{"x", kInt8}}, {{"a", kInt8}}, 3},
       {"c2", "Convolution", Family::kConvolution, {{"a", kInt8}}, {{"b", kInt8}}, 3},
       {"d", "Reformat", Family::kReformat, {{"b", kInt8}}, {{"bf", head}}, 1},
       {"h1", "Convolution", Family::kConvolution, {{"bf", head}}, {{"h", head}}, 1},
       {"h2", "Convolution", Family::kConvolution, {{"h", head}}, {{"y", head}}, 2}},
      {"x", "y"});
}

TEST(Headline, IsAboutWhatStaysInFp32BesideInt8) {
  const auto engine = engine_with_head("tensorrt", model::DType::kFp32);
  const auto headline = find_headline(engine.model, engine.time);
  ASSERT_TRUE(headline);
  EXPECT_EQ(headline->kind, HeadlineKind::kFloat32Rest);
  EXPECT_EQ(headline->count, 2);
  EXPECT_DOUBLE_EQ(headline->share, 0.3);
  EXPECT_EQ(headline->layer, LayerId(4));  // the longest
}

TEST(Headline, IsNotAboutAHeadInFp16OrOnAProcessor) {
  const auto half = engine_with_head("tensorrt", model::DType::kFp16);
  EXPECT_EQ(find_headline(half.model, half.time)->kind, HeadlineKind::kType);
  const auto processor = engine_with_head("openvino", model::DType::kFp32);
  EXPECT_NE(find_headline(processor.model, processor.time)->kind, HeadlineKind::kFloat32Rest);
}

// The first inference loads kernels; a host's times are those of starting layers.
TEST(Headline, IsNoneWhereTimesAreNoMeasure) {
  auto engine = attention_engine(8);
  const base::StringId host = engine.model.strings.intern("host-times");
  engine.model.diagnostics.code.set(engine.model.diagnostics.add_row(), host);
  EXPECT_TRUE(no_measure(engine.model, engine.time));
  EXPECT_FALSE(find_headline(engine.model, engine.time));
  auto single = attention_engine(8);
  single.time.end_to_end = EndToEnd{.source = "times", .count = 1};
  EXPECT_FALSE(find_headline(single.model, single.time));
  single.time.end_to_end->count = 2;
  EXPECT_TRUE(find_headline(single.model, single.time));
}

TEST(Headline, NeedsTimes) {
  auto layer = timed_layer("a", "Relu", Family::kPointwise, "x", "y", 0);
  layer.median_ms.reset();
  const auto engine = make_engine("tensorrt", {layer}, {"x", "y"});
  EXPECT_FALSE(find_headline(engine.model, engine.time));
}

TEST(Reformats, CountBesideLayersOfUnknownKind) {
  const std::string_view copy = "Reformatting CopyNode for Input Tensor 0 to conv";
  const auto engine = make_engine("tensorrt",
                                  {{.name = copy, .family = Family::kReformat, .median_ms = 1},
                                   {.name = "conv", .family = Family::kNull, .median_ms = 3}},
                                  {});
  const auto reformats = reformats_of(engine.model, engine.time);
  ASSERT_TRUE(reformats);
  EXPECT_EQ(reformats->count, 1);
  EXPECT_DOUBLE_EQ(reformats->share.value_or(-1), 0.25);
  const ReformatExplanation explanation = explain_reformats(engine.model, engine.time);
  EXPECT_EQ(explanation.rows.size(), 1u);
  EXPECT_EQ(explanation.unknown_count, 1u);
}

TEST(Reformats, AreNotKnownWhereNamesTellNothing) {
  const auto engine =
      make_engine("tensorrt", {{.name = "conv", .family = Family::kNull, .median_ms = 3}}, {});
  EXPECT_FALSE(reformats_of(engine.model, engine.time));
}

TEST(Reformats, AreKernelsThatOnlyMoveToo) {
  const auto engine =
      make_engine("tensorrt",
                  {timed_layer("__myl_Move_myl0_0", "kgen", Family::kOpaque, "x", "a", 1),
                   timed_layer("__myl_MulAdd_myl0_1", "kgen", Family::kOpaque, "a", "b", 1),
                   timed_layer("copy", "Reformat", Family::kReformat, "b", "y", 1)},
                  {"x", "y"});
  EXPECT_EQ(reformats_of(engine.model, engine.time)->count, 2);
  EXPECT_EQ(explain_reformats(engine.model, engine.time).all.count, 2u);
}

TEST(SumOfLayers, IsOfMeansWhereSomeMedianIsMissing) {
  auto engine = make_engine("tensorrt",
                            {timed_layer("a", "Relu", Family::kPointwise, "x", "a", 1),
                             timed_layer("b", "Relu", Family::kPointwise, "a", "y", 2)},
                            {"x", "y"});
  engine.model.layers.mean_ms.set(0, 1.5);
  engine.model.layers.median_ms.set(1, std::nullopt);
  engine.time = complete(engine.model);
  EXPECT_EQ(engine.time.basis, TimeBasis::kMean);
  EXPECT_DOUBLE_EQ(*engine.time.layers_ms(), 3.5);
  // A layer's time has the same basis for every caller.
  EXPECT_DOUBLE_EQ(*engine.model.time_ms(LayerId(0)), 1.5);
}

}  // namespace
}  // namespace planex::analyze
