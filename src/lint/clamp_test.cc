// The rule clamp-as-a-layer: Min, Max and Clip after a convolution, and what only looks like them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "lint/lint_test_model.h"
#include "lint/run.h"

namespace planex::lint {
namespace {

using model::DType;
using model::Family;
using ::testing::HasSubstr;

const std::vector<std::int64_t> kOneNumber = {1};

TestLayer clamped_conv(std::string_view from, std::string_view to) {
  return {to, "Conv", Family::kConvolution, {{from}}, {{to}}, 1.0};
}
TestLayer clamp_layer(std::string_view type, std::string_view from, std::string_view bound,
                      std::string_view to, std::vector<std::int64_t> dims = kOneNumber) {
  return {to,     type, Family::kPointwise, {{from}, {bound, DType::kFp32, std::move(dims)}},
          {{to}}, 0.1};
}

std::vector<Finding> of_clamps(std::vector<TestLayer> layers,
                               std::string_view producer = "onnxruntime",
                               std::vector<std::string_view> bindings = {"x", "y"}) {
  return findings_of(make_model(producer, layers, bindings), "clamp-as-a-layer");
}

TEST(ClampAsALayer, IsSaidOnceOfBothHalves) {
  const auto found = of_clamps({clamped_conv("x", "a"), clamp_layer("Max", "a", "low", "b"),
                                clamp_layer("Min", "b", "high", "c"), clamped_conv("c", "y")});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, HasSubstr("2 Min, Max and Clip"));
  EXPECT_THAT(found[0].fix, HasSubstr("one Clip with constant bounds"));
  ASSERT_TRUE(found[0].estimated_ms.has_value());
  EXPECT_DOUBLE_EQ(*found[0].estimated_ms, 0.2);
}

TEST(ClampAsALayer, AsksForConstantBounds) {
  const auto found = of_clamps(
      {clamped_conv("x", "a"), clamp_layer("Clip", "a", "high", "b"), clamped_conv("b", "y")},
      "openvino", {"x", "high", "y"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].fix, HasSubstr("constants of the model"));
}

// The larger of two tensors, a maximum by channel.
TEST(ClampAsALayer, HasNumbersForBounds) {
  EXPECT_TRUE(of_clamps({clamped_conv("x", "a"), clamp_layer("Max", "a", "w", "b", {1, 64, 56, 56}),
                         clamped_conv("b", "y")})
                  .empty());
  EXPECT_TRUE(of_clamps({clamped_conv("x", "a"), clamp_layer("Max", "a", "w", "b", {64, 1, 1}),
                         clamped_conv("b", "y")})
                  .empty());
}

// The convolution's own result is needed, too, so the clamp writes another tensor anyway.
TEST(ClampAsALayer, ReadsAlone) {
  EXPECT_TRUE(of_clamps({clamped_conv("x", "a"), clamp_layer("Max", "a", "low", "b"),
                         clamped_conv("a", "c"), clamped_conv("b", "y")},
                        "onnxruntime", {"x", "c", "y"})
                  .empty());
}

TEST(ClampAsALayer, StandsBehindAProduct) {
  EXPECT_TRUE(of_clamps({{"a", "AveragePool", Family::kPool, {{"x"}}, {{"a"}}, 1.0},
                         clamp_layer("Max", "a", "low", "b"),
                         clamped_conv("b", "y")})
                  .empty());
}

// The form does not keep a single Clip apart; and after a sum no form is known to be fused.
TEST(ClampAsALayer, IsNotAskedOfAClip) {
  EXPECT_TRUE(of_clamps({clamped_conv("x", "a"), clamp_layer("Clip", "a", "high", "b"),
                         clamped_conv("b", "y")})
                  .empty());
  TestLayer sum = clamped_conv("x", "a");
  sum.inputs.push_back({"x"});
  EXPECT_TRUE(
      of_clamps({sum, clamp_layer("Min", "a", "high", "b"), clamped_conv("b", "y")}).empty());
}

// Other rules report activations there.
TEST(ClampAsALayer, IsSilentOfTensorRt) {
  EXPECT_TRUE(of_clamps({clamped_conv("x", "a"), clamp_layer("Max", "a", "low", "b"),
                         clamped_conv("b", "y")},
                        "tensorrt")
                  .empty());
}

}  // namespace
}  // namespace planex::lint
