#include "lint/layer_speeds.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "lint/lint_test_model.h"
#include "support/test_data.h"

namespace planex::lint {
namespace {

using graph::DataFlow;
using model::DType;
using model::Family;
using model::LayerId;

// As much work as any other convolution of the engine.
model::PlanModel with_work(model::PlanModel model) {
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (model.layers.family[row] == Family::kConvolution) model.layers.macs.set(row, 1000);
  }
  return model;
}

// Ports of a test model are 1×64×56×56.
constexpr double kElements = 64 * 56 * 56;

// A pooling that moves 8 bytes per element in 0.1 ms is the fastest; the convolutions hide theirs.
model::PlanModel small_engine(double float_conv_ms, double pool_ms = 0.1) {
  return with_work(make_model(
      "tensorrt",
      {{"conv",
        "Convolution",
        Family::kConvolution,
        {{"x", DType::kInt8}},
        {{"a", DType::kInt8}},
        0.05},
       {"float",
        "Convolution",
        Family::kConvolution,
        {{"a", DType::kInt8}},
        {{"b", DType::kFp32}},
        float_conv_ms},
       {"pool", "Pooling", Family::kPool, {{"b", DType::kFp32}}, {{"c", DType::kFp32}}, pool_ms},
       {"q", "Reformat", Family::kReformat, {{"c", DType::kFp32}}, {{"d", DType::kInt8}}, 0.2},
       {"tiny", "Shuffle", Family::kShuffle, {{"d", DType::kInt8}}, {{"e", DType::kInt8}}, 0.01}},
      {"x", "e"}));
}

TEST(LayerSpeeds, FastestTrafficAndFloorOfTheEngine) {
  const model::PlanModel model = small_engine(0.2);
  const DataFlow flow(model);
  const LayerSpeeds speeds(flow);
  ASSERT_TRUE(speeds.floor_ms() && speeds.best_bytes_per_ms());
  EXPECT_DOUBLE_EQ(*speeds.floor_ms(), 0.01);
  EXPECT_DOUBLE_EQ(*speeds.best_bytes_per_ms(), kElements * 8 / 0.1);
  EXPECT_TRUE(speeds.is_memory_bound(LayerId(2)));
  // 5 bytes per element in 0.2 ms: 31 % of the best.
  EXPECT_FALSE(speeds.is_memory_bound(LayerId(1)));
  ASSERT_TRUE(speeds.quantizing_ms_per_element());
  EXPECT_DOUBLE_EQ(*speeds.quantizing_ms_per_element(), 0.2 / kElements);
}

TEST(LayerSpeeds, TimeOfAMemoryBoundLayerFollowsItsBytes) {
  const model::PlanModel model = small_engine(0.2);
  const DataFlow flow(model);
  const LayerSpeeds speeds(flow);
  const std::array ports = {flow.inputs(LayerId(2))[0], flow.outputs(LayerId(2))[0]};
  EXPECT_DOUBLE_EQ(speeds.saved_by_bytes(LayerId(2), ports, 8).value_or(0), 0.75);
  EXPECT_DOUBLE_EQ(speeds.saved_by_bytes(LayerId(2), std::span(ports.data(), 1), 16).value_or(0),
                   0.25);
  EXPECT_FALSE(speeds.saved_by_bytes(LayerId(2), ports, 32));
  const std::array conv = {flow.outputs(LayerId(1))[0]};
  EXPECT_FALSE(speeds.saved_by_bytes(LayerId(1), conv, 8)) << "not bound by memory";
}

TEST(LayerSpeeds, NothingBecomesFasterThanTheFastestLayer) {
  // The pooling takes 0.016 ms, and no layer less than 0.01.
  const model::PlanModel model = small_engine(0.2, 0.016);
  const DataFlow flow(model);
  const LayerSpeeds speeds(flow);
  const std::array ports = {flow.inputs(LayerId(2))[0], flow.outputs(LayerId(2))[0]};
  EXPECT_DOUBLE_EQ(speeds.saved_by_bytes(LayerId(2), ports, 8).value_or(0), 1 - 0.01 / 0.016);
}

TEST(LayerSpeeds, TwinsDoTheSameWorkInTheQuantizedType) {
  const model::PlanModel model = small_engine(0.2);
  const DataFlow flow(model);
  const LayerSpeeds speeds(flow);
  const auto twins = speeds.quantized_twins(LayerId(1));
  ASSERT_TRUE(twins);
  EXPECT_EQ(twins->count, 1U);
  EXPECT_DOUBLE_EQ(twins->time_ms, 0.05);
  // Neither a layer without work nor one with other work has a twin.
  EXPECT_FALSE(speeds.quantized_twins(LayerId(2)));
  model::PlanModel other = small_engine(0.2);
  other.layers.macs.set(1, 2000);
  const DataFlow other_flow(other);
  EXPECT_FALSE(LayerSpeeds(other_flow).quantized_twins(LayerId(1)));
}

// Layers of the same work that take 0.02, 0.05 and 0.24 ms say nothing about a fourth: other
// programs disturbed them, or they differ in more than the work. One of five is an outlier.
TEST(LayerSpeeds, TwinsThatDisagreeAreNoMeasure) {
  const auto engine = [](std::vector<double> times) {
    std::vector<test::SmallLayer> layers;
    std::vector<std::string> names;
    for (std::size_t i = 0; i <= times.size() + 1; ++i) names.push_back("t" + std::to_string(i));
    for (std::size_t i = 0; i < times.size(); ++i) {
      layers.push_back({names[i],
                        "Convolution",
                        Family::kConvolution,
                        {{names[i], DType::kInt8}},
                        {{names[i + 1], DType::kInt8}},
                        times[i]});
    }
    layers.push_back({"float",
                      "Convolution",
                      Family::kConvolution,
                      {{names[times.size()], DType::kInt8}},
                      {{names.back(), DType::kFp32}},
                      0.3});
    return with_work(make_model("tensorrt", layers, {"t0", names.back()}));
  };
  const auto twins_of = [](const model::PlanModel& model, std::size_t count) {
    const DataFlow flow(model);
    return LayerSpeeds(flow).quantized_twins(LayerId(count));
  };
  EXPECT_FALSE(twins_of(engine({0.02, 0.05, 0.24}), 3));
  EXPECT_FALSE(twins_of(engine({0.02, 0.05}), 2));
  const auto agreed = twins_of(engine({0.05, 0.24, 0.06, 0.05, 0.055}), 5);
  ASSERT_TRUE(agreed);
  EXPECT_DOUBLE_EQ(agreed->time_ms, 0.055);
}

TEST(LayerSpeeds, ASecondInputIsReadOnTop) {
  // The float convolution adds a residual; its twin has none.
  const model::PlanModel model = with_work(make_model(
      "tensorrt",
      {{"conv",
        "Convolution",
        Family::kConvolution,
        {{"x", DType::kInt8}},
        {{"a", DType::kInt8}},
        0.05},
       {"float",
        "Convolution",
        Family::kConvolution,
        {{"a", DType::kInt8}, {"r", DType::kFp16}},
        {{"b", DType::kFp16}},
        0.2},
       {"copy", "Reformat", Family::kReformat, {{"b", DType::kFp16}}, {{"c", DType::kFp32}}, 0.1}},
      {"x", "r", "c"}));
  const DataFlow flow(model);
  const LayerSpeeds speeds(flow);
  const auto twins = speeds.quantized_twins(LayerId(1));
  ASSERT_TRUE(twins);
  // 6 bytes per element in 0.1 ms are the best traffic; the residual is then one byte per element.
  EXPECT_DOUBLE_EQ(twins->time_ms, 0.05 + 0.1 / 6);
}

// A convolution is always the fastest of its own kind; only a copy shows what the memory can do.
TEST(LayerSpeeds, ConvolutionsAloneDoNotTellWhatMemoryCanDo) {
  const model::PlanModel model =
      make_model("tensorrt",
                 {{"c",
                   "Convolution",
                   Family::kConvolution,
                   {{"x", DType::kInt8}},
                   {{"a", DType::kFp32}},
                   0.05},
                  {"slow", "Reformat", Family::kReformat, {{"a"}}, {{"b", DType::kFp16}}, 0.2},
                  {"tiny", "Shuffle", Family::kShuffle, {{"b"}}, {{"y"}}, 0.01}},
                 {"x", "y"});
  const DataFlow flow(model);
  const LayerSpeeds speeds(flow);
  EXPECT_TRUE(speeds.best_bytes_per_ms());
  EXPECT_FALSE(speeds.is_memory_bound(LayerId(0)));
}

TEST(LayerSpeeds, WithoutTimesNothingIsSaid) {
  model::PlanModel model = small_engine(0.2);
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    model.layers.median_ms.set(row, std::nullopt);
  }
  const DataFlow flow(model);
  const LayerSpeeds speeds(flow);
  EXPECT_FALSE(speeds.floor_ms());
  EXPECT_FALSE(speeds.best_bytes_per_ms());
  EXPECT_FALSE(speeds.quantized_twins(LayerId(1)));
  EXPECT_FALSE(speeds.is_memory_bound(LayerId(2)));
}

}  // namespace
}  // namespace planex::lint
