#include "analyze/explain/pointwise.h"

#include <gtest/gtest.h>

#include "analyze/explain/explain_test_engine.h"
#include "base/text.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using base::format;
using Words = std::vector<std::string>;

TEST(PointwiseStatement, LosesWhatAllHave) {
  EXPECT_EQ(pointwise_statement("auto const var0 = pwgen::iMul(literal4, arg0);"),
            "var0 = iMul(literal4, arg0)");
  EXPECT_EQ(pointwise_statement("auto x = pwgen::a(pwgen::b(y))"), "x = a(b(y))");
  EXPECT_EQ(pointwise_statement(" pwgen::"), "");
  EXPECT_EQ(pointwise_statement("anything else"), "anything else");
}

// A layer of TensorRT with these members besides its type.
PointwiseExplanation explained_members(std::string_view members) {
  const model::PlanModel model = test::must(test::load_texts(format(
      R"({{"Layers": [{{"Name": "p", "LayerType": "PointWiseV2", "ParameterType": "PointWise",
           "Inputs": [{{"Name": "x", "Dimensions": [8], "Format/Datatype": "Half"}}],
           "Outputs": [{{"Name": "y", "Dimensions": [8], "Format/Datatype": "Half"}}]{}}}]}})",
      members)));
  return explain_pointwise(model, reconcile(model));
}

TEST(Pointwise, OperationsAsTheLayerListsThem) {
  const auto two = explained_members(
      R"(, "NbOperations": 2, "Operations": ["auto const var0 = pwgen::iExp(arg0);",
                                              "auto const var1 = pwgen::iNeg(var0);"])");
  ASSERT_EQ(two.layers.size(), 1U);
  EXPECT_EQ(two.layers[0].operation_count, 2);
  EXPECT_EQ(two.layers[0].operations, (Words{"var0 = iExp(arg0)", "var1 = iNeg(var0)"}));
  EXPECT_EQ(two.unknown.count, 0U);
  // Only the count, and only the list, in the older format.
  const auto counted = explained_members(R"(, "NbInstructions": 3)");
  ASSERT_EQ(counted.layers.size(), 1U);
  EXPECT_EQ(counted.layers[0].operation_count, 3);
  EXPECT_TRUE(counted.layers[0].operations.empty());
  EXPECT_EQ(explained_members(R"(, "Instructions": ["a", "b"])").layers[0].operation_count, 2);
}

TEST(Pointwise, WhatIsNotToldIsUnknown) {
  for (const std::string_view members :
       {"", R"(, "NbOperations": "many")", R"(, "NbOperations": -4)", R"(, "Operations": [])",
        R"(, "Operations": {"a": "b"})", R"(, "Operations": [["a"]])", R"(, "Operations": 7)"}) {
    const auto none = explained_members(members);
    EXPECT_TRUE(none.layers.empty()) << members;
    EXPECT_EQ(none.unknown.count, 1U) << members;
  }
}

TEST(Pointwise, KeepsSomeOfALongList) {
  std::string list;
  for (int i = 0; i < 1000; ++i) list += format("{}\"op{}\"", i == 0 ? "" : ",", i);
  const auto many = explained_members(format(R"(, "Operations": [{}])", list));
  ASSERT_EQ(many.layers.size(), 1U);
  EXPECT_EQ(many.layers[0].operation_count, 1000);
  EXPECT_EQ(many.layers[0].operations.size(), kMaxOperations);
}

TEST(Pointwise, KernelsByTheWordsOfTheirNames) {
  const auto kernel = [](std::string_view name, std::optional<double> ms) {
    return LayerOfTest{.name = name,
                       .type = "kgen",
                       .family = model::Family::kOpaque,
                       .inputs = {{.tensor = "x"}},
                       .outputs = {{.tensor = "y"}},
                       .median_ms = ms};
  };
  const EngineOfTest engine =
      make_engine("tensorrt-rtx",
                  {kernel("__myl_MulMinMaxRounCast_myl0_8", 0.040),
                   kernel("__myl_AddReshTranReshMove_myl0_1", 0.010),
                   kernel("__myl_ReshTran_myl0_2", 0.5), kernel("__myl_FcAddDiv_myl0_7", 0.5),
                   kernel("_gemm_mha_v2_myl0_4", 0.5), kernel("__myl_SubDivMulAdd_myl0_9", 0.020)},
                  {});
  const auto found = explain_pointwise(engine.model, engine.time);
  ASSERT_EQ(found.layers.size(), 3U);
  EXPECT_EQ(found.layers[0].operations, (Words{"Mul", "Min", "Max", "Roun"}));
  EXPECT_EQ(found.layers[1].operations, (Words{"Add"}));
  EXPECT_EQ(found.layers[1].evidence, PointwiseEvidence::kName);
  ASSERT_EQ(found.groups.size(), 2U);
  EXPECT_EQ(found.groups[0].operation_count, 1);
  EXPECT_EQ(found.groups[1].operation_count, 4);
  EXPECT_EQ(found.groups[1].totals.count, 2U);
  EXPECT_DOUBLE_EQ(found.groups[1].totals.time_ms.value(), 0.060);
  EXPECT_DOUBLE_EQ(found.groups[1].ms_per_operation.value(), 0.060 / 8);
  EXPECT_DOUBLE_EQ(found.all.time_ms.value(), 0.070);
}

TEST(Pointwise, OfARealEngine) {
  PLANEX_NEED_TEST_DATA(data);
  const model::PlanModel model = test::must(test::load_engine(data, "controlnet-a10-trt8.6"));
  const auto found = explain_pointwise(model, reconcile(model));
  // 25 PointWise layers list their operations; 11 ElementWise layers record them elsewhere.
  EXPECT_EQ(found.layers.size(), 25U);
  EXPECT_EQ(found.unknown.count, 11U);
  std::size_t count = 0;
  for (const PointwiseGroup& group : found.groups) count += group.totals.count;
  EXPECT_EQ(count, 25U);
  for (const PointwiseLayer& layer : found.layers) {
    EXPECT_EQ(static_cast<std::int64_t>(layer.operations.size()), layer.operation_count);
  }
}

}  // namespace
}  // namespace planex::analyze
