// What rules said about engines that were not built for a rule, where the advice was of no use:
// docs/design/0065-a-hundred-findings.md.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "lint/lint_test_model.h"
#include "lint/run.h"

namespace planex::lint {
namespace {

using model::DType;
using model::Family;
using Dims = std::vector<std::int64_t>;

// A layer that writes a float tensor and a quantized one; a sum reads the first, a product the
// other.
std::vector<Finding> of_two_outputs(std::string_view name, std::string_view type,
                                    const Dims& dims) {
  return findings_of(make_model("tensorrt-rtx",
                                {{name,
                                  type,
                                  Family::kPointwise,
                                  {{"x", DType::kFp32, dims}},
                                  {{"wide", DType::kFp32, dims}, {"small", DType::kInt8, dims}},
                                  0.1},
                                 {"product",
                                  "gemm",
                                  Family::kGemm,
                                  {{"small", DType::kInt8, dims}},
                                  {{"t", DType::kFp32, dims}},
                                  0.1},
                                 {"sum",
                                  "kgen",
                                  Family::kPointwise,
                                  {{"wide", DType::kFp32, dims}, {"t", DType::kFp32, dims}},
                                  {{"y", DType::kFp32, dims}},
                                  0.1}},
                                {"x", "y"}),
                     "activation-read-in-two-precisions");
}

TEST(ActivationReadInTwoPrecisions, IsOneActivation) {
  const Dims image = {1, 64, 56, 56}, tokens = {1, 64, 128};
  // A residual sum with its activation, quantized.
  EXPECT_EQ(of_two_outputs("__myl_MulAddAddReluMulMinMaxRounCast_myl0_6", "kgen", image).size(),
            1U);
  // From a transformer: the sum, and what a LayerNormalization makes of it.
  EXPECT_TRUE(
      of_two_outputs("__myl_MulAddAddMeanSubMulMeanAddSqrtDivMulMulAddMulMinMaxRounCast_myl0_10",
                     "kgen", tokens)
          .empty());
  // A block with its normalization before its activation: the sum, scaled and shifted.
  EXPECT_TRUE(
      of_two_outputs("__myl_MulAddAddMulAddReluMulMinMaxRounCast_myl0_6", "kgen", image).empty());
  // Before and after a gate.
  EXPECT_TRUE(of_two_outputs("__myl_MulAddSiluMulMinMaxRounCast_myl0_6", "kgen", image).empty());
}

TEST(ActivationReadInTwoPrecisions, IsNoScale) {
  EXPECT_EQ(of_two_outputs("plain", "Subgraph", {1, 8}).size(), 1U);
  EXPECT_TRUE(of_two_outputs("plain", "Subgraph", {1}).empty());
}

// A copy into another layout between the engine's input and a convolution.
std::vector<Finding> of_an_edge(std::string_view producer, DType type, const Dims& dims,
                                std::string_view layout) {
  return findings_of(make_model(producer,
                                {{"copy",
                                  "Reorder",
                                  Family::kReformat,
                                  {{"x", type, dims, "NCHW"}},
                                  {{"t", type, dims, layout}},
                                  0.5},
                                 {"conv",
                                  "Convolution",
                                  Family::kConvolution,
                                  {{"t", type, dims, layout}},
                                  {{"y", DType::kFp32, dims, layout}},
                                  0.5}},
                                {"x", "y"}),
                     "reformat-changes-layout");
}

TEST(Edges, OfTensorRtTakeNoInt8WithChannelsLast) {
  const Dims dims = {1, 32, 56, 56};
  for (const std::string_view producer : {"tensorrt", "tensorrt-rtx"}) {
    EXPECT_EQ(of_an_edge(producer, DType::kFp32, dims, "NHWC").size(), 1U);
    EXPECT_TRUE(of_an_edge(producer, DType::kInt8, dims, "NHWC").empty());
    EXPECT_EQ(of_an_edge(producer, DType::kInt8, dims, "NC/32HW32").size(), 1U);
  }
  EXPECT_EQ(of_an_edge("openvino", DType::kInt8, dims, "NHWC").size(), 1U);
}

TEST(Edges, OfThreeDimensionsHaveNoHeight) {
  const auto found = of_an_edge("openvino", DType::kFp32, {2, 20, 64}, "NHWC");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message,
            "a copy changes the layout only, NCW → NWC; it is at the engine's input");
  EXPECT_NE(found[0].fix.find("as FP32 NWC ("), std::string::npos) << found[0].fix;
}

// OpenVINO names the copy before a result after both its ends; the caller knows the result's name.
TEST(Edges, OfOpenVinoNameTheResult) {
  const Dims dims = {2, 30, 64};
  const auto fix = [&](std::string_view copied) {
    const auto found = findings_of(make_model("openvino",
                                              {{"a_conv",
                                                "Convolution",
                                                Family::kConvolution,
                                                {{"x", DType::kFp32, dims, "NHWC"}},
                                                {{"a_conv", DType::kFp32, dims, "NHWC"}},
                                                0.5},
                                               {copied,
                                                "Reorder",
                                                Family::kReformat,
                                                {{"a_conv", DType::kFp32, dims, "NHWC"}},
                                                {{copied, DType::kFp32, dims, "NCHW"}},
                                                0.5}},
                                              {"x", copied}),
                                   "reformat-changes-layout");
    return found.size() == 1 ? found[0].fix : std::string();
  };
  EXPECT_EQ(fix("a_conv_acb_abc_my_out/sink_port_0"),
            "Let the caller read \"my_out\" as FP32 NWC (PrePostProcessor: output().tensor())");
  for (const std::string_view odd :
       {"a_conv/sink_port_0", "a_conv_acb/sink_port_0", "a_convacb_abc_y/sink_port_0",
        "a_conv_acb_abc_/sink_port_0", "other"}) {
    EXPECT_NE(fix(odd).find(odd), std::string::npos) << fix(odd);
  }
}

TEST(ReformatChangesLayout, AsksNobodyInsideTensorRtRtx) {
  const Dims dims = {1, 32, 64, 64};
  const auto count = [&](std::string_view producer) {
    const auto layer = [&](std::string_view name, Family family, std::string_view in,
                           std::string_view in_layout, std::string_view out,
                           std::string_view out_layout) {
      return TestLayer{name,
                       family == Family::kReformat ? "Reorder" : "Convolution",
                       family,
                       {{in, DType::kFp32, dims, in_layout}},
                       {{out, DType::kFp32, dims, out_layout}},
                       0.5};
    };
    return findings_of(make_model(producer,
                                  {layer("a", Family::kConvolution, "x", "NHWC", "s", "NHWC"),
                                   layer("copy", Family::kReformat, "s", "NHWC", "t", "NCHW"),
                                   layer("b", Family::kConvolution, "t", "NCHW", "y", "NCHW")},
                                  {"x", "y"}),
                       "reformat-changes-layout")
        .size();
  };
  EXPECT_EQ(count("tensorrt"), 1U);
  EXPECT_EQ(count("tensorrt-rtx"), 0U);
}

TEST(TransposeAsALayer, IsSilentOfWindowsAndShuffledChannels) {
  const auto count = [](const Dims& from, const Dims& to) {
    return findings_of(
               make_model(
                   "openvino",
                   {{"a", "Softmax", Family::kOther, {{"x"}}, {{"s", DType::kFp32, from}}, 0.1},
                    {"turn",
                     "Transpose",
                     Family::kShuffle,
                     {{"s", DType::kFp32, from}},
                     {{"t", DType::kFp32, to}},
                     0.1},
                    {"b", "Softmax", Family::kOther, {{"t", DType::kFp32, to}}, {{"y"}}, 0.1}},
                   {"x", "y"}),
               "transpose-as-a-layer")
        .size();
  };
  EXPECT_EQ(count({1, 64, 2, 9, 3, 8}, {1, 2, 3, 9, 8, 64}), 0U) << "windows";
  EXPECT_EQ(count({2, 8, 4, 48, 40}, {2, 4, 8, 48, 40}), 0U) << "a shuffle of channels";
  EXPECT_EQ(count({1, 4, 5, 6, 7}, {1, 5, 6, 7, 4}), 1U) << "channels of a volume";
  EXPECT_EQ(count({1, 5, 6, 7, 4}, {1, 4, 5, 6, 7}), 1U) << "channels of a volume";
  EXPECT_EQ(count({1, 16, 56, 48}, {1, 56, 48, 16}), 1U);
}

// Keras: channels last around a scaling, and first again.
TEST(TransposeAsALayer, NamesTheOneThatTurnsBack) {
  const Dims first = {1, 32, 28, 20}, last = {1, 28, 20, 32};
  const auto turned = [&](Family between, bool reads_another) {
    std::vector<TestPort> reads = {{"s", DType::kFp32, last}};
    if (reads_another) reads.push_back({"other", DType::kFp32, last});
    return findings_of(
        make_model("openvino",
                   {{"a", "Softmax", Family::kOther, {{"x"}}, {{"r", DType::kFp32, first}}, 0.1},
                    {"there",
                     "Transpose",
                     Family::kShuffle,
                     {{"r", DType::kFp32, first}},
                     {{"s", DType::kFp32, last}},
                     0.1},
                    {"scale", "Multiply", between, reads, {{"t", DType::kFp32, last}}, 0.1},
                    {"back",
                     "Transpose",
                     Family::kShuffle,
                     {{"t", DType::kFp32, last}},
                     {{"u", DType::kFp32, first}},
                     0.2},
                    {"b", "Softmax", Family::kOther, {{"u", DType::kFp32, first}}, {{"y"}}, 0.1}},
                   {"x", "other", "y"}),
        "transpose-as-a-layer");
  };
  const auto found = turned(Family::kPointwise, false);
  ASSERT_EQ(found.size(), 1U) << "two transposes are one finding";
  EXPECT_EQ(found[0].fix,
            "Remove \"there\" and \"back\" from the model: \"scale\" between them can work on the "
            "tensor as it is, with constants in that order");
  EXPECT_EQ(found[0].savings.size(), 2U);
  EXPECT_EQ(turned(Family::kOther, false).size(), 2U) << "what it computes is not known";
  EXPECT_EQ(turned(Family::kPointwise, true).size(), 2U) << "the other tensor is in that order";
}

// A share of the time that does not show is not worth retraining a model.
TEST(ChannelsNotAligned, IsOfConvolutionsThatTakeTime) {
  const auto count = [](std::optional<double> ms) {
    const auto conv = [&](std::string_view name, std::string_view in, std::string_view out,
                          std::int64_t reads, std::int64_t writes) {
      return TestLayer{name,
                       "Convolution",
                       Family::kConvolution,
                       {{in, DType::kInt8, {1, reads, 112, 112}, "NC/32HW32"}},
                       {{out, DType::kInt8, {1, writes, 112, 112}, "NC/32HW32"}},
                       ms};
    };
    const model::PlanModel model =
        make_model("tensorrt",
                   {conv("a", "x", "t", 32, 15),
                    conv("b", "t", "y", 15, 32),
                    {"rest", "Softmax", Family::kOther, {{"x"}}, {{"z"}}, 1.0}},
                   {"x", "y", "z"});
    return findings_of(model, "channels-not-aligned").size() +
           findings_of(model, "layout-pads-channels").size();
  };
  EXPECT_EQ(count(0.1), 2U);
  EXPECT_EQ(count(0.01), 0U);
  EXPECT_EQ(count(std::nullopt), 0U);
}

// The weights of a product of one row are its 4096 × 1024, in the given number of bytes.
TEST(WeightsBoundProduct, NamesSmallerTypesThanItsOwn) {
  const auto fix = [](std::string_view producer, std::int64_t bytes) {
    model::PlanModel model = make_model(producer,
                                        {{"product",
                                          "Gemm",
                                          Family::kGemm,
                                          {{"x", DType::kFp16, {1, 4096}}},
                                          {{"y", DType::kFp16, {1, 1024}}},
                                          0.1}},
                                        {"x", "y"});
    auto& layers = model.layers;
    layers.gemm_m.set(0, 1);
    layers.gemm_n.set(0, 1024);
    layers.gemm_k.set(0, 4096);
    layers.weight_bytes.set(0, bytes);
    layers.footprint_bytes.set(0, bytes + 100);
    const auto found = findings_of(model, "weights-bound-product");
    return found.size() == 1 ? found[0].fix : std::string();
  };
  constexpr std::int64_t kCount = std::int64_t{4096} * 1024;
  EXPECT_NE(fix("tensorrt", 4 * kCount).find("(FP16, INT8, FP8,"), std::string::npos);
  EXPECT_NE(fix("tensorrt", 2 * kCount).find("(INT8, FP8,"), std::string::npos);
  EXPECT_NE(fix("onnxruntime", 4 * kCount).find("(INT8, or"), std::string::npos);
  for (const std::int64_t bytes : {kCount, kCount / 2}) {
    EXPECT_EQ(fix("tensorrt", bytes),
              "Run several requests as one batch: it costs little more than one");
  }
}

// BF16 does nothing for a product that spends its time on converting its weights to float.
TEST(Float32OnBfloat16Cpu, IsNotOfWeightsInFewBits) {
  const auto count = [](DType weights) {
    model::ModelBuilder builder;
    builder.model().engine.producer.set(0, builder.strings().intern("openvino"));
    const model::LayerId layer = builder.add_layer(builder.strings().add("product"));
    model::LayersTable& layers = builder.model().layers;
    layers.type.set(layer.index(), builder.strings().intern("FullyConnected"));
    layers.family.set(layer.index(), Family::kGemm);
    layers.role.set(layer.index(), model::Role::kWork);
    const auto add = [&](model::Direction direction, std::string_view name, DType dtype,
                         const Dims& dims) {
      builder.add_port(layer, direction, {.tensor = name, .dims = dims, .dtype = dtype});
    };
    add(model::Direction::kInput, "x", DType::kFp32, {64, 128});
    add(model::Direction::kInput, "w", weights, {512, 128});
    add(model::Direction::kOutput, "y", DType::kFp32, {64, 512});
    for (const std::string_view name : {"x", "y"}) {
      builder.add_binding(name, model::Direction::kNull);
    }
    builder.add_metadata("build", "isa", "AVX-512 with bfloat16 support", "");
    const model::PlanModel model = builder.finish();
    return findings_of(model, "float32-on-bfloat16-cpu").size();
  };
  EXPECT_EQ(count(DType::kFp32), 1U);
  EXPECT_EQ(count(DType::kInt4), 0U);
  EXPECT_EQ(count(DType::kUint8), 0U);
}

TEST(ReformatChangesType, IsNotOfAFewNumbers) {
  const auto count = [](const Dims& dims) {
    const auto layer = [&](std::string_view name, Family family, std::string_view in, DType reads,
                           std::string_view out, DType writes) {
      return TestLayer{name,
                       family == Family::kReformat ? "Reformat" : "Softmax",
                       family,
                       {{in, reads, dims}},
                       {{out, writes, dims}},
                       0.01};
    };
    return findings_of(
               make_model("tensorrt",
                          {layer("a", Family::kOther, "x", DType::kFp16, "s", DType::kFp16),
                           layer("r", Family::kReformat, "s", DType::kFp16, "t", DType::kFp32),
                           layer("b", Family::kOther, "t", DType::kFp32, "y", DType::kFp32)},
                          {"x", "y"}),
               "reformat-changes-type")
        .size();
  };
  EXPECT_EQ(count({-1, 10, 1, 1}), 0U);
  EXPECT_EQ(count({1, 64}), 0U);
  EXPECT_EQ(count({-1, 64, 56, 56}), 1U);
  EXPECT_EQ(count({1, 1000}), 1U);
}

TEST(NoReducedPrecision, IsNotOfProductsThatTakeNoTime) {
  const auto count = [](std::optional<std::int64_t> macs, std::int64_t weight_bytes) {
    model::PlanModel model = make_model("tensorrt-rtx",
                                        {{"product",
                                          "gemm",
                                          Family::kGemm,
                                          {{"x", DType::kFp32, {1, 64}}},
                                          {{"y", DType::kFp32, {1, 64}}},
                                          std::nullopt}},
                                        {"x", "y"});
    if (macs) model.layers.macs.set(0, *macs);
    model.layers.weight_bytes.set(0, weight_bytes);
    return findings_of(model, "no-reduced-precision").size();
  };
  EXPECT_EQ(count(4096, 16'384), 0U);
  EXPECT_EQ(count(1'000'000, 16'384), 1U);
  EXPECT_EQ(count(4096, 16'000'000), 1U);
  EXPECT_EQ(count(std::nullopt, 0), 1U) << "not known is not small";
}

// Measured: with int8 pairs ONNX Runtime 1.32 refuses the model that the advice asks for.
TEST(AttentionNotFused, OfAQuantizedModelNamesTheType) {
  const auto fix = [](std::string_view first) {
    const Dims scores = {1, 4, 64, 64};
    const auto found = findings_of(
        make_model(
            "onnxruntime",
            {{"first", first, Family::kReformat, {{"x"}}, {{"q", DType::kUint8}}, 0.1},
             {"qk", "MatMul", Family::kGemm, {{"a"}, {"b"}}, {{"s", DType::kFp32, scores}}, 0.1},
             {"softmax",
              "Softmax",
              Family::kOther,
              {{"s", DType::kFp32, scores}},
              {{"p", DType::kFp32, scores}},
              0.1},
             {"pv", "MatMul", Family::kGemm, {{"p", DType::kFp32, scores}, {"v"}}, {{"y"}}, 0.1}},
            {"x", "a", "b", "v", "y", "q"}),
        "attention-not-fused");
    return found.size() == 1 ? found[0].fix : std::string();
  };
  EXPECT_NE(fix("Cast").find("(opset 23)"), std::string::npos);
  EXPECT_EQ(fix("Cast").find("uint8"), std::string::npos);
  EXPECT_NE(fix("QuantizeLinear").find("in uint8"), std::string::npos);
}

// A conversion to `between` and one to FP32, after a product and before another.
std::vector<Finding> of_two_copies(std::string_view producer, DType between) {
  return findings_of(
      make_model(
          producer,
          {{"product", "MatMul", Family::kGemm, {{"x"}}, {{"a"}}, 0.1},
           {"down", "Reorder", Family::kReformat, {{"a"}}, {{"b", between}}, 0.1},
           {"up", "Convert", Family::kReformat, {{"b", between}}, {{"c", DType::kFp32}}, 0.1},
           {"add", "Add", Family::kPointwise, {{"c", DType::kFp32}}, {{"y"}}, 0.1}},
          {"x", "y"}),
      "conversions-in-a-row");
}

// From samples: MatMulInteger of dynamic quantization, which OpenVINO computes in float and gives
// its integer type again. No edit of the model removes these layers.
TEST(ConversionsInARow, IsNotOfOpenVinosIntegerProducts) {
  EXPECT_EQ(of_two_copies("openvino", DType::kBf16).size(), 1U);
  EXPECT_TRUE(of_two_copies("openvino", DType::kInt32).empty());
  EXPECT_EQ(of_two_copies("tensorrt", DType::kInt32).size(), 1U);
}

// From samples: a signed pair before a pooling, whose output ONNX Runtime quantizes by itself.
TEST(ConversionsInARow, MovesAPairBehindAPooling) {
  const auto fix = [](DType behind) {
    const auto found = findings_of(
        make_model("onnxruntime",
                   {{"relu", "Relu", Family::kPointwise, {{"x"}}, {{"a"}}, 0.1},
                    {"q", "QuantizeLinear", Family::kReformat, {{"a"}}, {{"b", DType::kInt8}}, 0.1},
                    {"dq",
                     "DequantizeLinear",
                     Family::kReformat,
                     {{"b", DType::kInt8}},
                     {{"c", DType::kFp32}},
                     0.1},
                    {"pool", "MaxPool", Family::kPool, {{"c"}}, {{"d"}}, 0.1},
                    {"q2", "QuantizeLinear", Family::kReformat, {{"d"}}, {{"e", behind}}, 0.1},
                    {"conv", "QLinearConv", Family::kConvolution, {{"e", behind}}, {{"y"}}, 0.1}},
                   {"x", "y"}),
        "conversions-in-a-row");
    return found.size() == 1 ? found[0].fix : std::string();
  };
  EXPECT_EQ(fix(DType::kInt8), "Put the Q/DQ pair after \"pool\" instead of before it");
  EXPECT_NE(fix(DType::kFp32).find("Remove the Q/DQ pair before \"pool\""), std::string::npos);
}

// ONNX Runtime's blocked layout is internal: neither a model nor a caller can have it.
TEST(ConversionOver3Percent, AsksNobodyForOnnxRuntimesLayouts) {
  const auto count = [](std::string_view producer) {
    return findings_of(
               make_model(producer,
                          {{"conv", "Conv", Family::kConvolution, {{"x"}}, {{"a"}}, 0.5},
                           {"out", "ReorderOutput", Family::kReformat, {{"a"}}, {{"y"}}, 0.5}},
                          {"x", "y"}),
               "conversion-over-3-percent")
        .size();
  };
  EXPECT_EQ(count("tensorrt"), 1U);
  EXPECT_EQ(count("onnxruntime"), 0U);
}

// DynamicQuantizeMatMul reads and writes floats, and computes in INT8.
TEST(QuantizationUndone, IsNotOfProductsThatQuantizeTheirInput) {
  const auto count = [](DType computes) {
    model::PlanModel model = make_model("onnxruntime",
                                        {{"product",
                                          "DynamicQuantizeMatMul",
                                          Family::kGemm,
                                          {{"x", DType::kFp32}},
                                          {{"y", DType::kFp32}},
                                          0.1}},
                                        {"x", "y"});
    model.layers.compute_precision.set(0, computes);
    return findings_of(model, "quantization-undone").size();
  };
  EXPECT_EQ(count(DType::kInt8), 0U);
}

}  // namespace
}  // namespace planex::lint
