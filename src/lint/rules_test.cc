// What rules decide if no real engine shows it; the rest is in tests/golden/lint.
#include <gtest/gtest.h>

#include <algorithm>

#include "lint/lint_test_model.h"
#include "lint/run.h"
#include "support/test_data.h"

namespace planex::lint {
namespace {

using model::DType;
using model::Family;

TestLayer convolution(std::string_view name, TestPort in, TestPort out) {
  return {name, "Convolution", Family::kConvolution, {std::move(in)}, {std::move(out)}, 0.1};
}

TestLayer quantizer(std::string_view name, std::string_view in, std::string_view out,
                    std::vector<std::int64_t> dims) {
  return {
      name, "Reformat", Family::kReformat, {{in, DType::kFp16, dims}}, {{out, DType::kInt8, dims}},
      0.01};
}

TEST(ChannelsNotAligned, LooksAtOneDimension) {
  const auto findings = findings_of(
      make_model(
          "tensorrt",
          {convolution("a", {"x", DType::kFp16, {1, 16, 256}}, {"t", DType::kFp16, {1, 13, 256}}),
           convolution("b", {"t", DType::kFp16, {1, 13, 256}}, {"y", DType::kFp16, {1, 16, 256}})},
          {"x", "y"}),
      "channels-not-aligned");
  // One channel count is one decision, whatever layer writes or reads it.
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::kInfo);
  EXPECT_EQ(findings[0].message, "13 channels are not a multiple of 8, in 2 convolutions in FP16");
}

TEST(ChannelsNotAligned, IsSilentOfAFirstLayerThatAddsAnothersResult) {
  const std::vector<std::int64_t> image = {1, 4, 32, 48}, wide = {1, 320, 32, 48};
  const auto findings = findings_of(
      make_model("tensorrt",
                 {convolution("hint", {"h", DType::kFp16, wide}, {"t", DType::kFp16, wide}),
                  {"first",
                   "Convolution",
                   Family::kConvolution,
                   {{"x", DType::kFp16, image}, {"t", DType::kFp16, wide}},
                   {{"y", DType::kFp16, wide}},
                   0.1}},
                 {"h", "x", "y"}),
      "channels-not-aligned");
  EXPECT_TRUE(findings.empty());
}

TEST(Heads, MayWriteFloat) {
  const auto findings =
      findings_of(make_model("tensorrt",
                             {convolution("head", {"x", DType::kInt8, {1, 64, 8, 8}},
                                          {"y", DType::kFp32, {1, 64, 8, 8}})},
                             {"x", "y"}),
                  "int8-conv-writes-float");
  EXPECT_TRUE(findings.empty());
}

// A profile alone names layers, and a tensor of its own for each of their inputs and outputs.
TEST(Links, MissingOnesSkipRulesThatFollowTensors) {
  const std::vector<std::int64_t> dims = {1, 64, 8, 8};
  const LintReport report = run(make_model("onnxruntime",
                                           {{"q",
                                             "QuantizeLinear",
                                             Family::kReformat,
                                             {{"q:in0", DType::kFp32, dims}},
                                             {{"q:out0", DType::kInt8, dims}},
                                             1},
                                            {"d",
                                             "DequantizeLinear",
                                             Family::kReformat,
                                             {{"d:in0", DType::kInt8, dims}},
                                             {{"d:out0", DType::kFp32, dims}},
                                             1}},
                                           {}));
  std::size_t skipped = 0;
  for (const RuleStatus& status : report.rules) {
    const bool needs =
        std::ranges::find(status.info->needs, Need::kLinks) != status.info->needs.end();
    if (!needs) continue;
    EXPECT_EQ(status.outcome, RuleOutcome::kSkipped) << status.info->id;
    EXPECT_FALSE(status.reason.empty());
    skipped += status.reason.find("reads what another writes") != std::string::npos;
  }
  EXPECT_GE(skipped, 10U);
}

// Twenty convolutions with one cause are one finding, and so are the kernels around them.
TEST(FloatConvolutionsOfQuantizedWeights, AreOneFinding) {
  PLANEX_NEED_TEST_DATA(data);
  for (const char* engine : {"rtx1.7-resnet18-qdq-naive", "rtx1.7-resnet18-qdq-residual"}) {
    const LintReport report = run(test::must(test::load_engine(data, engine)));
    std::size_t alone = 0;
    for (const Finding& finding : report.findings) {
      if (finding.folded_into) continue;
      if (finding.rule == "float-conv-of-quantized-weights") {
        ++alone;
        EXPECT_EQ(finding.also_about.size(), 20U);
        EXPECT_GE(finding.symptoms.size(), 15U);
      }
      EXPECT_NE(finding.rule, "qdq-computed-in-float") << finding.message;
    }
    EXPECT_EQ(alone, 1U) << engine;
  }
}

TEST(TensorConvertedTwice, CountsWholeTensorsOnly) {
  const std::vector<std::int64_t> whole = {1, 64, 56, 56}, part = {1, 32, 56, 56};
  const auto model_with = [&](const std::vector<std::int64_t>& second) {
    return make_model("tensorrt",
                      {convolution("a", {"x", DType::kFp16, whole}, {"t", DType::kFp16, whole}),
                       quantizer("q1", "t", "t1", whole), quantizer("q2", "t", "t2", second),
                       convolution("b", {"t1", DType::kInt8, whole}, {"y1", DType::kInt8, whole}),
                       convolution("c", {"t2", DType::kInt8, second}, {"y2", DType::kInt8, whole})},
                      {"x", "y1", "y2"});
  };
  const auto findings = findings_of(model_with(whole), "tensor-converted-twice");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].layer.index(), 2U);
  EXPECT_DOUBLE_EQ(findings[0].estimated_ms.value_or(0), 0.01);
  // Two readers of two parts of a tensor share nothing.
  EXPECT_TRUE(findings_of(model_with(part), "tensor-converted-twice").empty());
}

// One tensor that merged convolutions write: readers of different halves share nothing.
TEST(SharedInput, IsWholeForBoth) {
  const std::vector<std::int64_t> all = {1, 128, 90, 90}, half = {1, 64, 90, 90};
  const auto model_with = [&](const std::vector<std::int64_t>& read, std::string_view type,
                              Family family, std::string_view second_kernel = "[3,3]") {
    const auto head = [&](std::string_view name, std::string_view out,
                          std::string_view kernel = "[3,3]") {
      return TestLayer{.name = name,
                       .type = type,
                       .family = family,
                       .inputs = {{"t", DType::kFp16, read}},
                       .outputs = {{out, DType::kFp16, {1, 2, 90, 90}}},
                       .median_ms = 0.1,
                       .kernel = kernel};
    };
    return make_model("tensorrt",
                      {convolution("both", {"x", DType::kFp16, half}, {"t", DType::kFp16, all}),
                       head("a", "y1"), head("b", "y2", second_kernel)},
                      {"x", "y1", "y2"});
  };
  const auto conv = Family::kConvolution;
  // Kernels of other sizes, or of unknown size, have no weights to put side by side.
  for (const std::string_view kernel : {"[1,1]", ""}) {
    EXPECT_TRUE(
        findings_of(model_with(all, "Convolution", conv, kernel), "convolutions-share-input")
            .empty())
        << kernel;
  }
  EXPECT_EQ(findings_of(model_with(all, "Convolution", conv), "convolutions-share-input").size(),
            1U);
  EXPECT_TRUE(
      findings_of(model_with(half, "Convolution", conv), "convolutions-share-input").empty());
  EXPECT_EQ(findings_of(model_with(all, "MatMul", Family::kGemm), "products-share-input").size(),
            1U);
  EXPECT_TRUE(
      findings_of(model_with(half, "MatMul", Family::kGemm), "products-share-input").empty());
}

// No pair of engines shows the gain of a merge: it is promised nowhere.
TEST(SharedInput, PromisesNothing) {
  const std::vector<std::int64_t> dims = {1, 64, 40, 40}, few = {1, 3, 40, 40};
  const auto head = [&](std::string_view name, std::string_view out) {
    TestLayer layer = convolution(name, {"x", DType::kFp16, dims}, {out, DType::kFp16, few});
    layer.kernel = "[1,1]";
    return layer;
  };
  const auto findings =
      findings_of(make_model("tensorrt", {head("a", "y1"), head("b", "y2")}, {"x", "y1", "y2"}),
                  "convolutions-share-input");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_FALSE(findings[0].estimated_ms);
  EXPECT_EQ(findings[0].severity, Severity::kInfo);
}

// Merged products gain in OpenVINO with few rows, in ONNX Runtime never:
// docs/reference/evidence.md.
TEST(SharedInput, IsAboutFewRowsOnAProcessor) {
  const auto count = [](std::string_view producer, std::int64_t rows) {
    const auto product = [&](std::string_view name, std::string_view out) {
      return TestLayer{.name = name,
                       .type = "MatMul",
                       .family = Family::kGemm,
                       .inputs = {{"x", DType::kFp32, {1, rows, 64}}},
                       .outputs = {{out, DType::kFp32, {1, rows, 64}}},
                       .median_ms = 0.1};
    };
    return findings_of(
               make_model(producer, {product("a", "y1"), product("b", "y2")}, {"x", "y1", "y2"}),
               "products-share-input")
        .size();
  };
  EXPECT_EQ(count("openvino", 1), 1U);
  EXPECT_EQ(count("openvino", 8), 1U);
  EXPECT_EQ(count("openvino", 9), 0U);
  EXPECT_EQ(count("openvino", 128), 0U);
  EXPECT_EQ(count("onnxruntime", 1), 0U);
  EXPECT_EQ(count("tensorrt-rtx", 128), 1U);
}

// ONNX Runtime transposes tensors for its INT8 convolutions itself: no export avoids that.
TEST(TransposeAsALayer, IsSilentOfThoseThatOnnxRuntimeAdds) {
  const std::vector<std::int64_t> first = {1, 16, 56, 48}, last = {1, 56, 48, 16};
  const auto count = [&](std::string_view producer, bool to_last) {
    const auto& in = to_last ? first : last;
    const auto& out = to_last ? last : first;
    return findings_of(
               make_model(producer,
                          {convolution("a", {"x", DType::kInt8, in}, {"t", DType::kInt8, in}),
                           {"turn",
                            "Transpose",
                            Family::kShuffle,
                            {{"t", DType::kInt8, in}},
                            {{"u", DType::kInt8, out}},
                            0.1},
                           {"b",
                            "Softmax",
                            Family::kOther,
                            {{"u", DType::kInt8, out}},
                            {{"y", DType::kInt8, out}},
                            0.1}},
                          {"x", "y"}),
               "transpose-as-a-layer")
        .size();
  };
  EXPECT_EQ(count("onnxruntime", false), 0U) << "from channels last after a convolution";
  EXPECT_EQ(count("onnxruntime", true), 1U) << "a convolution writes channels first in any model";
  EXPECT_EQ(count("openvino", false), 1U);
}

TEST(TensorConvertedTwice, IsAboutDataNotAboutAScale) {
  const std::vector<std::int64_t> dims = {1, 64, 56, 56};
  const auto quantize = [&](std::string_view name, std::string_view in, std::string_view out) {
    return TestLayer{name,
                     "Reformat",
                     Family::kReformat,
                     {{in, DType::kFp16, dims}, {"scale", DType::kFp16, {1}}},
                     {{out, DType::kInt8, dims}},
                     0.01};
  };
  const auto findings = findings_of(
      make_model("tensorrt",
                 {{"s",
                   "PointWise",
                   Family::kPointwise,
                   {{"x", DType::kFp16, dims}},
                   {{"scale", DType::kFp16, {1}}},
                   0.01},
                  quantize("q1", "x", "a"),
                  quantize("q2", "z", "b"),
                  convolution("c1", {"a", DType::kInt8, dims}, {"y1", DType::kInt8, dims}),
                  convolution("c2", {"b", DType::kInt8, dims}, {"y2", DType::kInt8, dims})},
                 {"x", "z", "y1", "y2"}),
      "tensor-converted-twice");
  EXPECT_TRUE(findings.empty());
}

TEST(PaddingAsALayer, MovesIntoConvolutionsAndPoolingsOnly) {
  const std::vector<std::int64_t> dims = {1, 64, 56, 56}, padded = {1, 64, 58, 58};
  const auto model_with = [&](std::string_view reader, Family family) {
    return make_model(
        "openvino",
        {convolution("a", {"x", DType::kFp32, dims}, {"t", DType::kFp32, dims}),
         {"p",
          "Pad",
          Family::kShuffle,
          {{"t", DType::kFp32, dims}},
          {{"u", DType::kFp32, padded}},
          0.02},
         {"r", reader, family, {{"u", DType::kFp32, padded}}, {{"y", DType::kFp32, dims}}, 0.1}},
        {"x", "y"});
  };
  const auto before_conv =
      findings_of(model_with("Convolution", Family::kConvolution), "padding-as-a-layer");
  ASSERT_EQ(before_conv.size(), 1U);
  // The padding value is not known: a note, with the condition.
  EXPECT_EQ(before_conv[0].severity, Severity::kInfo);
  EXPECT_NE(before_conv[0].fix.find("only where the Pad's mode is constant"), std::string::npos);
  EXPECT_TRUE(findings_of(model_with("Elu", Family::kPointwise), "padding-as-a-layer").empty());
}

// Its INT8 convolutions always write float.
TEST(Int8ConvWritesFloat, IsNoNewsOfTensorRtRtx) {
  const std::vector<std::int64_t> dims = {1, 64, 56, 56};
  const auto count = [&](std::string_view producer) {
    return findings_of(
               make_model(producer,
                          {convolution("a", {"x", DType::kInt8, dims}, {"t", DType::kFp16, dims}),
                           quantizer("q", "t", "u", dims),
                           convolution("b", {"u", DType::kInt8, dims}, {"y", DType::kInt8, dims})},
                          {"x", "y"}),
               "int8-conv-writes-float")
        .size();
  };
  EXPECT_EQ(count("tensorrt"), 1U);
  EXPECT_EQ(count("tensorrt-rtx"), 0U);
}

// An engine whose other layers are FP32, by version: from 11 on no flag helps.
TEST(Float32RestOfQuantized, SaysWhatHelpsInTheVersion) {
  const std::vector<std::int64_t> dims = {1, 64, 56, 56};
  const auto model_with = [&](DType rest, std::string_view producer) {
    return make_model(producer,
                      {convolution("a", {"x", DType::kInt8, dims}, {"t", DType::kInt8, dims}),
                       {"d",
                        "Reformat",
                        Family::kReformat,
                        {{"t", DType::kInt8, dims}},
                        {{"u", rest, dims}},
                        0.01},
                       convolution("b", {"u", rest, dims}, {"y", rest, dims})},
                      {"x", "y"});
  };
  const auto findings =
      findings_of(model_with(DType::kFp32, "tensorrt"), "float32-rest-of-quantized");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_NE(findings[0].message.find("1 convolution, 0.1 ms (48 %), computes in FP32"),
            std::string::npos)
      << findings[0].message;
  EXPECT_NE(findings[0].fix.find("--fp16"), std::string::npos);
  EXPECT_FALSE(findings[0].estimated_ms);
  EXPECT_TRUE(
      findings_of(model_with(DType::kFp16, "tensorrt"), "float32-rest-of-quantized").empty());
  const auto cast_only =
      findings_of(model_with(DType::kFp32, "tensorrt-rtx"), "float32-rest-of-quantized");
  ASSERT_EQ(cast_only.size(), 1U);
  EXPECT_EQ(cast_only[0].fix.find("Build with --fp16"), std::string::npos);
  EXPECT_NE(cast_only[0].fix.find("planex cast MODEL --to fp16"), std::string::npos);
}

// A blocked layout can't come from a caller.
TEST(Edges, OfOpenVinoAreBoundInPlainLayouts) {
  const std::vector<std::int64_t> dims = {1, 32, 56, 56};
  const auto count = [&](std::string_view producer, model::Order order, std::uint8_t vector) {
    model::PlanModel model =
        make_model(producer,
                   {{"r",
                     "Reformat",
                     Family::kReformat,
                     {{"x", DType::kFp32, dims}},
                     {{"t", DType::kFp32, dims}},
                     0.5},
                    convolution("c", {"t", DType::kFp32, dims}, {"y", DType::kFp32, dims})},
                   {"x", "y"});
    for (std::size_t port = 0; port < model.ports.row_count(); ++port) {
      const bool is_inner =
          model.text(model.tensors.name[model.ports.tensor_id[port].index()]) == "t";
      model.ports.layout.set(
          port, is_inner ? model::Layout{order, vector} : model::Layout{model::Order::kLinear});
    }
    return findings_of(model, "reformat-changes-layout").size();
  };
  EXPECT_EQ(count("openvino", model::Order::kChannelsLast, 1), 1U);
  EXPECT_EQ(count("openvino", model::Order::kChannelVectors, 16), 0U);
  EXPECT_EQ(count("tensorrt", model::Order::kChannelVectors, 16), 1U);
}

TEST(NoReducedPrecision, OneLayerInHalfIsEnough) {
  const std::vector<std::int64_t> dims = {1, 64, 56, 56};
  const auto model_with = [&](DType second) {
    return make_model("tensorrt-rtx",
                      {convolution("a", {"x", DType::kFp32, dims}, {"t", second, dims}),
                       convolution("b", {"t", second, dims}, {"y", DType::kFp32, dims})},
                      {"x", "y"});
  };
  EXPECT_EQ(findings_of(model_with(DType::kFp32), "no-reduced-precision").size(), 1U);
  EXPECT_TRUE(findings_of(model_with(DType::kFp16), "no-reduced-precision").empty());
}

TEST(PointwiseNotFused, NotWhereAnotherLayerReadsTheTensor) {
  const std::vector<std::int64_t> dims = {1, 64, 56, 56};
  const TestPort t = {"t", DType::kFp16, dims};
  std::vector<TestLayer> layers = {
      convolution("a", {"x", DType::kFp16, dims}, t),
      {"relu", "PointWise", Family::kPointwise, {t}, {{"r", DType::kFp16, dims}}, 0.02},
      convolution("b", {"r", DType::kFp16, dims}, {"y", DType::kFp16, dims})};
  const auto findings =
      findings_of(make_model("tensorrt", layers, {"x", "y"}), "pointwise-not-fused");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_DOUBLE_EQ(findings[0].estimated_ms.value_or(0), 0.02);
  // The residual reads it before the activation: it has to be written either way.
  layers[2].inputs.push_back(t);
  EXPECT_TRUE(
      findings_of(make_model("tensorrt", layers, {"x", "y"}), "pointwise-not-fused").empty());
}

TEST(ManyReadersOfOneTensor, StayLinear) {
  // Every search after a tensor is bounded: thousands of conversions of one tensor, each of which
  // leads back to 16 bits, end without a search per pair.
  constexpr std::size_t kCount = 20'000;
  const std::vector<std::int64_t> dims = {1, 8, 4, 4};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kCount; ++i) names.push_back("t" + std::to_string(i));
  std::vector<TestLayer> layers = {
      convolution("a", {"x", DType::kFp16, dims}, {"t", DType::kFp16, dims})};
  for (const std::string& name : names) {
    layers.push_back({name,
                      "Reformat",
                      Family::kReformat,
                      {{"t", DType::kFp16, dims}},
                      {{name, DType::kFp32, dims}},
                      0.001});
  }
  const auto report = run(make_model("tensorrt", layers, {"x"}));
  EXPECT_TRUE(std::ranges::any_of(report.rules, [](const RuleStatus& status) {
    return status.info->id == "tensor-converted-twice" && status.count == 63;
  }));
}

}  // namespace
}  // namespace planex::lint
