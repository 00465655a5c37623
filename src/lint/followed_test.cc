// What following the advice showed on OpenVINO and ONNX Runtime (docs/reference/evidence.md):
// wording that can be followed there, and silence if nothing is gained.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/lint_test_model.h"
#include "lint/run.h"
#include "support/test_data.h"

namespace planex::lint {
namespace {

using model::DType;
using model::Family;
using Dims = std::vector<std::int64_t>;

const Dims kImage = {1, 64, 112, 112};

TestLayer layer(std::string_view name, std::string_view type, Family family,
                std::vector<TestPort> inputs, TestPort output) {
  return {.name = name,
          .type = type,
          .family = family,
          .inputs = std::move(inputs),
          .outputs = {std::move(output)},
          .median_ms = 0.1};
}

TestLayer narrowed(std::string_view name, std::string_view in, std::string_view out) {
  return layer(name, "QuantizeLinear", Family::kReformat, {{in}}, {out, DType::kUint8});
}

TestLayer widened(std::string_view name, std::string_view in, std::string_view out) {
  return layer(name, "DequantizeLinear", Family::kReformat, {{in, DType::kUint8}}, {out});
}

TestLayer quantized_convolution(std::string_view name, std::string_view in, std::string_view out) {
  return layer(name, "QLinearConv", Family::kConvolution, {{in, DType::kUint8}},
               {out, DType::kUint8});
}

std::string fix_of(const std::vector<Finding>& findings) {
  return findings.size() == 1 ? findings[0].fix : std::to_string(findings.size()) + " findings";
}

// There, a convolution runs quantized only with a quantizer right after it.
TEST(QdqBeforeActivation, IsWhatOnnxRuntimeWants) {
  const std::string folder = PLANEX_SOURCE_DIR "/tests/golden/lint/qdq-before-activation/fires";
  model::PlanModel model =
      test::must(test::load_completed({.path = folder, .name = "reduced"}, base::disk()));
  EXPECT_EQ(findings_of(model, "qdq-before-activation").size(), 1U);
  model.engine.producer.set(0, model.strings.intern("onnxruntime"));
  EXPECT_TRUE(findings_of(model, "qdq-before-activation").empty());
}

// "wide" is read by a convolution, quantized, and by an addition with `other`.
std::vector<Finding> of_sum(std::string_view producer, std::string_view reader,
                            bool other_is_quantized, bool sum_is_quantized) {
  std::vector<TestLayer> layers = {
      layer("elu", "Elu", Family::kPointwise, {{"x"}}, {"wide"}),
      narrowed("q", "wide", "small"),
      quantized_convolution("conv", "small", "c"),
      widened("dq", "c", "d"),
      layer("float", "Conv", Family::kConvolution, {{"x"}}, {"f"}),
      layer("sum", reader, reader == "Conv" ? Family::kConvolution : Family::kPointwise,
            {{"wide"}, {other_is_quantized ? "d" : "f"}}, {"s"}),
      layer("relu", "Relu", Family::kPointwise, {{"s"}}, {"r"})};
  if (sum_is_quantized) {
    layers.push_back(narrowed("q2", "r", "t"));
    layers.push_back(quantized_convolution("conv2", "t", "y"));
  } else {
    layers.push_back(layer("tanh", "Tanh", Family::kPointwise, {{"r"}}, {"y"}));
  }
  return findings_of(make_model(producer, layers, {"x", "y"}), "activation-read-in-two-precisions");
}

// It adds quantized values only if both inputs and the output are quantized.
TEST(ActivationReadInTwoPrecisions, OfOnnxRuntimeIsOfSumsThatCanBeQuantized) {
  EXPECT_EQ(of_sum("onnxruntime", "Add", true, true).size(), 1U);
  EXPECT_TRUE(of_sum("onnxruntime", "Add", false, true).empty()) << "the other input is float";
  EXPECT_TRUE(of_sum("onnxruntime", "Add", true, false).empty()) << "nothing quantizes the sum";
  EXPECT_TRUE(of_sum("onnxruntime", "Conv", true, true).empty()) << "it adds in a float kernel";
  EXPECT_EQ(of_sum("openvino", "Add", false, true).size(), 1U);
}

// A layer between two Q/DQ pairs, of 6.4 MB in float.
std::vector<Finding> between_pairs(std::string_view type, Family family) {
  const Dims large = {2, 64, 112, 112};
  const auto wide = [&](std::string_view name) { return TestPort{name, DType::kFp32, large}; };
  const auto small = [&](std::string_view name) { return TestPort{name, DType::kUint8, large}; };
  return findings_of(
      make_model("onnxruntime",
                 {layer("conv", "QLinearConv", Family::kConvolution, {small("x")}, small("c")),
                  layer("dq", "DequantizeLinear", Family::kReformat, {small("c")}, wide("d")),
                  layer("between", type, family, {wide("d")}, wide("p")),
                  layer("q", "QuantizeLinear", Family::kReformat, {wide("p")}, small("s")),
                  layer("conv2", "QLinearConv", Family::kConvolution, {small("s")}, small("y"))},
                 {"x", "y"}),
      "float-layer-between-quantized");
}

TEST(FloatLayerBetweenQuantized, OfOnnxRuntimeAsksForOneScale) {
  const std::string fix = fix_of(between_pairs("MaxPool", Family::kPool));
  EXPECT_NE(fix.find("scale and zero point of the one before it"), std::string::npos) << fix;
  EXPECT_EQ(fix.find("Put Q/DQ before"), std::string::npos) << "there is a pair before it";
  EXPECT_EQ(between_pairs("Transpose", Family::kShuffle).size(), 1U);
  EXPECT_TRUE(between_pairs("DepthToSpace", Family::kShuffle).empty())
      << "it has no kernel for quantized values";
}

TEST(AttentionNotFused, OfOpenVinoSaysWhatThePlainFormIs) {
  const Dims scores = {1, 4, 64, 64};
  const auto found = findings_of(
      make_model(
          "openvino",
          {layer("kq", "MatMul", Family::kGemm, {{"a"}, {"b"}}, {"s", DType::kFp32, scores}),
           layer("softmax", "Softmax", Family::kOther, {{"s", DType::kFp32, scores}},
                 {"p", DType::kFp32, scores}),
           layer("vp", "MatMul", Family::kGemm, {{"v"}, {"p", DType::kFp32, scores}}, {"y"})},
          {"a", "b", "v", "y"}),
      "attention-not-fused");
  EXPECT_NE(fix_of(found).find("a softmax over the last axis"), std::string::npos) << fix_of(found);
}

TEST(Float32Island, OfOpenVinoAsksForNoCasts) {
  const auto fix = [](std::string_view producer) {
    const TestPort half = {"h", DType::kBf16}, back = {"b", DType::kBf16};
    model::PlanModel model = make_model(
        producer,
        {layer("conv", "Convolution", Family::kConvolution, {{"x", DType::kBf16}}, half),
         layer("wide", "Reorder", Family::kReformat, {half}, {"w"}),
         layer("math", "Math", Family::kPointwise, {{"w"}}, {"m"}),
         layer("narrow", "Reorder", Family::kReformat, {{"m"}}, back),
         layer("next", "Convolution", Family::kConvolution, {back}, {"y", DType::kBf16})},
        {"x", "y"});
    const std::size_t row = model.metadata.add_row();
    model.metadata.key.set(row, model.strings.intern("capabilities"));
    model.metadata.value.set(row, model.strings.intern("BF16"));
    return fix_of(findings_of(model, "float32-island"));
  };
  EXPECT_NE(fix("openvino").find("no BF16 kernel for \"math\""), std::string::npos)
      << fix("openvino");
  EXPECT_EQ(fix("openvino").find("casts"), std::string::npos);
  EXPECT_NE(fix("tensorrt").find("remove the casts"), std::string::npos);
}

// Only the type, without the scale, would be a different model.
TEST(ConversionsInARow, AtTheInputTakeTheScaleAlong) {
  const auto fix = [](std::string_view producer, DType small) {
    return fix_of(findings_of(
        make_model(producer,
                   {layer("q", "Convert", Family::kReformat, {{"x", DType::kFp32, kImage, "NCHW"}},
                          {"s", small, kImage, "NCHW"}),
                    layer("turn", "Reorder", Family::kReformat, {{"s", small, kImage, "NCHW"}},
                          {"t", small, kImage, "NHWC"}),
                    layer("conv", "Convolution", Family::kConvolution,
                          {{"t", small, kImage, "NHWC"}}, {"y", small, kImage, "NHWC"})},
                   {"x", "y"}),
        "conversions-in-a-row"));
  };
  EXPECT_EQ(fix("openvino", DType::kUint8),
            "Let the caller quantize \"x\" as this quantizer does and pass the quantized tensor, "
            "in NHWC: the model then begins with the dequantizer");
  EXPECT_EQ(fix("openvino", DType::kFp16),
            "Let the caller pass \"x\" as FP16 NHWC (PrePostProcessor: input().tensor())");
  EXPECT_EQ(fix("onnxruntime", DType::kFp16), "0 findings") << "no caller binds a layout there";
}

// Its files have no name for its blocked layout, and no caller can ask for another.
TEST(LayoutRules, AreSilentOfOnnxRuntimesOwnLayout) {
  const auto row_major = [](std::string_view name) {
    return TestPort{name, DType::kFp32, kImage, "NCHW"};
  };
  const auto blocked = [](std::string_view name) {
    return TestPort{name, DType::kFp32, kImage, ""};
  };
  const auto model =
      make_model("onnxruntime",
                 {layer("there", "ReorderInput", Family::kReformat, {row_major("x")}, blocked("a")),
                  layer("conv", "Conv", Family::kConvolution, {blocked("a")}, blocked("b")),
                  layer("out", "ReorderOutput", Family::kReformat, {blocked("b")}, row_major("c")),
                  layer("mul", "Mul", Family::kPointwise, {row_major("c")}, row_major("d")),
                  layer("back", "ReorderInput", Family::kReformat, {row_major("d")}, blocked("e")),
                  layer("conv2", "Conv", Family::kConvolution, {blocked("e")}, blocked("f")),
                  layer("end", "ReorderOutput", Family::kReformat, {blocked("f")}, row_major("y"))},
                 {"x", "y"});
  EXPECT_TRUE(findings_of(model, "layout-round-trip").empty());
  EXPECT_TRUE(findings_of(model, "reformat-changes-layout").empty());
}

}  // namespace
}  // namespace planex::lint
