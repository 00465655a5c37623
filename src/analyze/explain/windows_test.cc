#include "analyze/explain/windows.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using List = std::vector<std::int64_t>;
using model::Direction;

TEST(Windows, AsTheLayerListsThem) {
  const model::PlanModel model = test::must(test::load_texts(
      R"({"Layers": [
        {"Name": "a", "LayerType": "CaskConvolution", "ParameterType": "Convolution",
         "Inputs": [{"Name": "x", "Dimensions": [1,32,8,8], "Format/Datatype": "Half"}],
         "Outputs": [{"Name": "y", "Dimensions": [1,32,4,4], "Format/Datatype": "Half"}],
         "Kernel": [3,3], "Stride": [2,2], "Dilation": [1,1], "Groups": 32, "OutMaps": 32},
        {"Name": "b", "LayerType": "CaskPooling", "ParameterType": "Pooling",
         "Inputs": [{"Name": "y", "Dimensions": [1,32,4,4], "Format/Datatype": "Half"}],
         "Outputs": [{"Name": "z", "Dimensions": [1,32,2,2], "Format/Datatype": "Half"}]}]})"));
  const auto windows = convolution_windows(model);
  ASSERT_EQ(windows.size(), 1U);
  EXPECT_EQ(windows[0].layer.index(), 0U);
  EXPECT_EQ(windows[0].kernel, (List{3, 3}));
  EXPECT_EQ(windows[0].stride, (List{2, 2}));
  EXPECT_EQ(windows[0].groups, 32);
  EXPECT_EQ(windows[0].evidence, WindowEvidence::kParameters);
}

struct Weights {
  std::vector<std::int64_t> input, weights, output;
  std::string_view type = "Convolution";
};

model::PlanModel engine_of_weights(const Weights& of) {
  model::ModelBuilder builder;
  builder.model().engine.producer.set(0, builder.strings().intern("openvino"));
  const model::LayerId layer = builder.add_layer(builder.strings().add("conv"));
  auto& layers = builder.model().layers;
  layers.type.set(0, builder.strings().intern(of.type));
  layers.family.set(0, model::Family::kConvolution);
  layers.role.set(0, model::Role::kWork);
  const auto port = [&](Direction direction, std::string_view name, const List& dims) {
    builder.add_port(layer, direction,
                     {.tensor = name, .dims = dims, .dtype = model::DType::kFp32});
  };
  port(Direction::kInput, "x", of.input);
  port(Direction::kConstant, "w", of.weights);
  port(Direction::kOutput, "y", of.output);
  builder.add_binding("x", Direction::kInput);
  return builder.finish();
}

TEST(Windows, KernelAndGroupsByTheWeights) {
  const auto window_of = [](const Weights& of) {
    const auto windows = convolution_windows(engine_of_weights(of));
    return windows.empty() ? std::optional<ConvolutionWindow>() : windows[0];
  };
  const auto plain = window_of({{2, 32, 8, 8}, {64, 32, 3, 5}, {2, 64, 8, 8}});
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->kernel, (List{3, 5}));
  EXPECT_EQ(plain->groups, 1);
  EXPECT_TRUE(plain->stride.empty());
  EXPECT_EQ(plain->evidence, WindowEvidence::kWeights);

  EXPECT_EQ(window_of({{2, 32, 8, 8}, {64, 8, 3, 3}, {2, 64, 8, 8}})->groups, 4);
  // The groups apart.
  const auto apart = window_of({{2, 32, 8, 8}, {32, 2, 1, 3, 3}, {2, 64, 8, 8}});
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->kernel, (List{3, 3}));
  EXPECT_EQ(apart->groups, 32);

  const auto transposed =
      window_of({{1, 32, 8, 8}, {32, 4, 2, 2}, {1, 16, 16, 16}, "Deconvolution"});
  ASSERT_TRUE(transposed);
  EXPECT_EQ(transposed->kernel, (List{2, 2}));
  EXPECT_EQ(transposed->groups, 4);

  // A bias is not a filter.
  EXPECT_FALSE(window_of({{2, 32, 8, 8}, {64}, {2, 64, 8, 8}}));
  EXPECT_FALSE(window_of({{2, 32, 8, 8}, {64, 0, 3, 3}, {2, 64, 8, 8}}));
  EXPECT_FALSE(window_of({{2, -1, 8, 8}, {64, 32, 3, 3}, {2, 64, 8, 8}}));
}

TEST(Windows, OfRealEnginesAgreeWithTheWork) {
  PLANEX_NEED_TEST_DATA(data);
  for (const char* name :
       {"openvino2026.4-resnet18-fp32-b8", "rtx1.7-resnet18-fp32", "resnet18-a100-qat"}) {
    const model::PlanModel model = test::must(test::load_engine(data, name));
    const auto windows = convolution_windows(model);
    ASSERT_GE(windows.size(), 20U) << name;
    // ResNet-18: one 7 × 7, three 1 × 1 at the down-sampling, and 16 of 3 × 3; TensorRT turns the
    // classifier into one more.
    const auto with = [&](const List& kernel) {
      return std::ranges::count(windows, kernel, &ConvolutionWindow::kernel);
    };
    EXPECT_EQ(with({7, 7}), 1) << name;
    EXPECT_EQ(with({3, 3}), 16) << name;
    for (const ConvolutionWindow& window : windows) {
      EXPECT_EQ(window.groups, 1) << name;
      const auto k = model.layers.gemm_k.get(window.layer.index());
      ASSERT_TRUE(k) << name;
      EXPECT_EQ(*k % (window.kernel[0] * window.kernel[1]), 0) << name;
    }
  }
}

}  // namespace
}  // namespace planex::analyze
