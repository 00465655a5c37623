// The steps from a naive Q/DQ placement to a good one, on the building blocks of a ResNet: each
// step's findings name what the next one changes.
#include "lint/quantization.h"

#include <gtest/gtest.h>

#include <string>

#include "lint/lint_test_model.h"
#include "lint/run.h"

namespace planex::lint {
namespace {

constexpr DType kF = DType::kFp32;
constexpr DType kQ = DType::kInt8;

TestLayer conv(std::string_view name, TestPort in, TestPort out) {
  return {name, "Convolution", Family::kConvolution, {in}, {out}, 1.0};
}

// conv -> {addition, relu, quantizer} that also writes the float for the next skip path.
model::PlanModel naive_block() {
  return make_model(
      "openvino",
      {conv("conv1", {"x", kQ}, {"c1", kF}),
       {"add1",
        "Subgraph",
        Family::kOpaque,
        {{"c1", kF}, {"skip", kF}},
        {{"f", kF}, {"q", kQ}},
        0.8},
       conv("conv2", {"q", kQ}, {"c2", kF}),
       {"add2", "Subgraph", Family::kOpaque, {{"c2", kF}, {"f", kF}}, {{"y", kQ}}, 0.4},
       conv("conv3", {"y", kQ}, {"out", kF})},
      {"x", "skip", "out"});
}

TEST(Placement, SkipPathInFloatIsNamed) {
  const model::PlanModel model = naive_block();
  const auto two = findings_of(model, "activation-read-in-two-precisions");
  ASSERT_EQ(two.size(), 1U);
  EXPECT_EQ(two[0].layer, LayerId(1));
  EXPECT_EQ(two[0].fix,
            "Let \"add2\" read \"q\" instead of \"f\": put a Q/DQ pair with the same scale on the "
            "skip path");
  EXPECT_TRUE(two[0].estimated_ms);
  const auto writes = findings_of(model, "quantized-layer-writes-float");
  ASSERT_EQ(writes.size(), 2U);
  EXPECT_NE(writes[0].fix.find("\"c1\" and \"skip\" before \"add1\""), std::string::npos)
      << writes[0].fix;
  EXPECT_TRUE(two[0].folded_into) << "the other side of an addition that is named already";
}

// 6.4 MB in float: more than the caches hold.
const std::vector<std::int64_t> kLarge = {8, 64, 56, 56};

TEST(Placement, PoolingInFloatIsNamed) {
  const model::PlanModel model = make_model(
      "openvino",
      {conv("conv1", {"x", kQ}, {"c1", kF, kLarge}),
       {"pool", "Pooling", Family::kPool, {{"c1", kF, kLarge}}, {{"p", kF, kLarge}}, 0.4},
       {"quantize", "FakeQuantize", Family::kReformat, {{"p", kF}}, {{"q", kQ}}, 0.1},
       conv("conv2", {"q", kQ}, {"out", kF})},
      {"x", "out"});
  const auto found = findings_of(model, "float-layer-between-quantized");
  ASSERT_EQ(found.size(), 1U);
  // An average is not a value of the scale before it: its own quantizer stays.
  EXPECT_EQ(found[0].fix, "Put Q/DQ before \"pool\", on \"c1\", and keep the one after it");
  EXPECT_TRUE(found[0].folded_into) << "one cause: the convolution that writes float";
  // The quantizer, and three quarters of the pooling: its bytes shrink from 4 to 1 per element.
  EXPECT_NEAR(found[0].estimated_ms.value_or(0), 0.1 + 0.4 * 0.75, 1e-9);
  const auto writes = findings_of(model, "quantized-layer-writes-float");
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_EQ(writes[0].fix, found[0].fix);
  EXPECT_EQ(findings_of(model, "conversion-over-3-percent").size(), 1U);
}

TEST(Placement, BehindAMaximumTheQuantizerGoes) {
  const model::PlanModel model =
      make_model("openvino",
                 {conv("conv1", {"x", kQ}, {"c1", kF, kLarge}),
                  {"maxpool", "Pooling", Family::kPool, {{"c1", kF, kLarge}}, {{"p", kF}}, 0.4},
                  {"quantize", "FakeQuantize", Family::kReformat, {{"p", kF}}, {{"q", kQ}}, 0.1},
                  conv("conv2", {"q", kQ}, {"out", kF})},
                 {"x", "out"});
  const auto writes = findings_of(model, "quantized-layer-writes-float");
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_EQ(writes[0].fix, "Put Q/DQ before \"maxpool\", on \"c1\", and drop the one after it");
}

// A tensor that fits into caches gains nothing from a smaller type, except on a GPU.
TEST(Placement, PoolingOfSmallTensorsIsLeftAlone) {
  const auto count = [](std::string_view producer, std::string_view rule) {
    const model::PlanModel model =
        make_model(producer,
                   {conv("conv1", {"x", kQ}, {"c1", kF}),
                    {"pool", "Pooling", Family::kPool, {{"c1", kF}}, {{"p", kF}}, 0.4},
                    {"quantize", "FakeQuantize", Family::kReformat, {{"p", kF}}, {{"q", kQ}}, 0.1},
                    conv("conv2", {"q", kQ}, {"out", kF})},
                   {"x", "out"});
    return findings_of(model, rule).size();
  };
  EXPECT_EQ(count("openvino", "float-layer-between-quantized"), 0U);
  EXPECT_EQ(count("openvino", "quantized-layer-writes-float"), 0U);
  EXPECT_EQ(count("tensorrt", "float-layer-between-quantized"), 1U);
}

TEST(Placement, SharedPlacementIsSilent) {
  const model::PlanModel model = make_model(
      "openvino",
      {conv("conv1", {"x", kQ}, {"c1", kQ}),
       {"pool", "Pooling", Family::kPool, {{"c1", kQ}}, {{"p", kQ}}, 0.1},
       conv("conv2", {"p", kQ}, {"c2", kQ}),
       {"conv3", "Convolution", Family::kConvolution, {{"c2", kQ}, {"p", kQ}}, {{"out", kQ}}, 1.0}},
      {"x", "out"});
  const LintReport report = run(model);
  EXPECT_TRUE(report.findings.empty());
}

TEST(Placement, HeadsAreNotBeforeAQuantizedLayer) {
  const model::PlanModel model =
      make_model("openvino", {conv("fc", {"x", kQ}, {"out", kF})}, {"x", "out"});
  EXPECT_TRUE(findings_of(model, "quantized-layer-writes-float").empty());
}

}  // namespace
}  // namespace planex::lint
