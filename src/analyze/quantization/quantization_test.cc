#include "analyze/quantization/quantization.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "analyze/explain/explain_test_engine.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using model::DType;
using model::Family;

constexpr DType kInt8 = DType::kInt8, kHalf = DType::kFp16;

void expect_quantization_adds_up(const QuantizationExplanation& explanation) {
  const auto count = [](const LayerTotals& totals) { return totals.count; };
  std::size_t runs = 0;
  for (const LayerTotals& totals : explanation.by_run) runs += count(totals);
  EXPECT_EQ(runs, explanation.matrix.count);
  EXPECT_EQ(runs, explanation.rows.size());
  EXPECT_EQ(
      explanation.requested.count + explanation.not_requested.count + explanation.unknown.count,
      explanation.matrix.count);
  EXPECT_EQ(
      explanation.quantizers.count + explanation.dequantizers.count + explanation.round_trips.count,
      explanation.conversions.count);
  EXPECT_LE(explanation.avoidable_conversions.count, explanation.conversions.count);
  std::size_t beside = 0, fell_back = 0;
  for (const QuantizationRow& row : explanation.rows) {
    beside += row.conversion_count;
    fell_back += row.requested == Requested::kYes &&
                 (row.run == QuantizedRun::kFloat || row.run == QuantizedRun::kWeightsOnly);
    if (row.reason != FallbackReason::kNone) EXPECT_EQ(row.requested, Requested::kYes);
  }
  EXPECT_LE(beside, explanation.conversions.count);
  if (explanation.form != QuantizationForm::kWeights) {
    EXPECT_EQ(fell_back, explanation.fell_back.count);
  }
}

// A quantized convolution whose residual is float, and one after a dequantizer.
EngineOfTest mixed_engine() {
  return make_engine(
      "tensorrt",
      {{"q", "Reformat", Family::kReformat, {{"x"}}, {{"xq", kInt8}}, 1, "QDQ"},
       {"c1", "Convolution", Family::kConvolution, {{"xq", kInt8}}, {{"a", kInt8}}, 4},
       {"c2", "Convolution", Family::kConvolution, {{"a", kInt8}, {"x", kHalf}}, {{"b", kHalf}}, 4},
       {"q2", "Reformat", Family::kReformat, {{"b", kHalf}}, {{"bq", kInt8}}, 1},
       {"d", "Reformat", Family::kReformat, {{"bq", kInt8}}, {{"bf", kHalf}}, 2},
       {"c3", "Convolution", Family::kConvolution, {{"bf", kHalf}}, {{"y", kHalf}}, 8}},
      {"x", "y"});
}

TEST(ExplainQuantization, SaysWhatRunsQuantizedAndWhatFellBack) {
  const EngineOfTest engine = mixed_engine();
  const auto explanation = explain_quantization(engine.model, engine.time);
  expect_quantization_adds_up(explanation);
  EXPECT_EQ(explanation.form, QuantizationForm::kPairs);
  EXPECT_EQ(explanation.verdict, QuantizationVerdict::kPartly);
  ASSERT_EQ(explanation.rows.size(), 3U);
  EXPECT_EQ(explanation.rows[0].run, QuantizedRun::kQuantized);
  EXPECT_EQ(explanation.rows[1].run, QuantizedRun::kWritesFloat);
  EXPECT_EQ(explanation.rows[1].reason, FallbackReason::kFloatResidual);
  EXPECT_EQ(explanation.rows[2].run, QuantizedRun::kFloat);
  EXPECT_EQ(explanation.rows[2].reason, FallbackReason::kDequantized);
  EXPECT_EQ(explanation.fell_back.time_ms, 8.0);
  EXPECT_EQ(explanation.conversions.count, 3U);
  EXPECT_EQ(explanation.conversions.time_ms, 4.0);
}

TEST(ExplainQuantization, SaysNothingOfAFloatEngine) {
  const EngineOfTest engine = make_engine(
      "openvino", {{"c", "Convolution", Family::kConvolution, {{"x"}}, {{"y"}}, 1}}, {"x", "y"});
  const auto explanation = explain_quantization(engine.model, engine.time);
  expect_quantization_adds_up(explanation);
  EXPECT_EQ(explanation.form, QuantizationForm::kNone);
  EXPECT_EQ(explanation.verdict, QuantizationVerdict::kNotAsked);
  EXPECT_EQ(explanation.rows[0].requested, Requested::kUnknown);
}

TEST(ExplainQuantization, TellsImplicitInt8FromPairs) {
  const EngineOfTest engine =
      make_engine("tensorrt",
                  {{"c1", "Convolution", Family::kConvolution, {{"x", kInt8}}, {{"a", kInt8}}, 1},
                   {"d", "Reformat", Family::kReformat, {{"a", kInt8}}, {{"b"}}, 1},
                   {"c2", "Convolution", Family::kConvolution, {{"b"}}, {{"c"}}, 5},
                   {"c3", "Convolution", Family::kConvolution, {{"c"}}, {{"y"}}, 5}},
                  {"x", "y"});
  const auto explanation = explain_quantization(engine.model, engine.time);
  expect_quantization_adds_up(explanation);
  EXPECT_EQ(explanation.form, QuantizationForm::kCalibrated);
  EXPECT_EQ(explanation.rows[2].reason, FallbackReason::kBuilderChose);
}

// ONNX Runtime fuses Q/DQ pairs into QLinear operations; where one side has none, the pair stays.
TEST(ExplainQuantization, ReadsOnnxRuntimesSessions) {
  const EngineOfTest engine = make_engine(
      "onnxruntime",
      {{"q", "QuantizeLinear", Family::kReformat, {{"x"}}, {{"xq", kInt8}}, 1},
       {"c1", "QLinearConv", Family::kConvolution, {{"xq", kInt8}}, {{"a", kInt8}}, 4},
       {"d", "DequantizeLinear", Family::kReformat, {{"a", kInt8}}, {{"af", DType::kFp32}}, 2},
       {"c2", "Conv", Family::kConvolution, {{"af", DType::kFp32}}, {{"b", DType::kFp32}}, 8}},
      {"x", "b"});
  const auto explanation = explain_quantization(engine.model, engine.time);
  expect_quantization_adds_up(explanation);
  EXPECT_EQ(explanation.verdict, QuantizationVerdict::kPartly);
  ASSERT_EQ(explanation.rows.size(), 2U);
  EXPECT_EQ(explanation.rows[0].run, QuantizedRun::kQuantized);
  EXPECT_EQ(explanation.rows[1].run, QuantizedRun::kFloat);
  EXPECT_EQ(explanation.rows[1].reason, FallbackReason::kDequantized);
  EXPECT_EQ(explanation.conversions.time_ms, 3.0);
}

std::size_t count_of(const QuantizationExplanation& explanation, FallbackReason reason) {
  return static_cast<std::size_t>(
      std::ranges::count(explanation.rows, reason, &QuantizationRow::reason));
}

// A quantizer before a layer does not convert anything to float: that layer's kernel does.
TEST(ExplainQuantization, KnowsKernelsThatComputeInFloat) {
  PLANEX_NEED_TEST_DATA(data);
  const model::PlanModel model =
      test::must(test::load_engine(data, "mobilenet-titanrtx-qat-trt8.2"));
  const auto explanation = explain_quantization(model, reconcile(model));
  EXPECT_EQ(count_of(explanation, FallbackReason::kFloatKernel), 1U);
  EXPECT_EQ(count_of(explanation, FallbackReason::kDequantized), 0U);
}

TEST(ExplainQuantization, AsksNothingWhereTheNextKernelQuantizes) {
  PLANEX_NEED_TEST_DATA(data);
  const model::PlanModel model = test::must(test::load_engine(data, "rtx1.7-mlp-qdq"));
  const auto explanation = explain_quantization(model, reconcile(model));
  EXPECT_EQ(count_of(explanation, FallbackReason::kQuantizedBehind), 3U);
  EXPECT_EQ(count_of(explanation, FallbackReason::kOutput), 1U);
}

struct RealQuantization {
  const char* engine;
  QuantizationForm form;
  QuantizationVerdict verdict;
};

class RealEngineQuantization : public testing::TestWithParam<RealQuantization> {};

TEST_P(RealEngineQuantization, IsAsItWasBuilt) {
  PLANEX_NEED_TEST_DATA(data);
  const model::PlanModel model = test::must(test::load_engine(data, GetParam().engine));
  const auto explanation = explain_quantization(model, reconcile(model));
  expect_quantization_adds_up(explanation);
  EXPECT_EQ(explanation.form, GetParam().form) << to_string(explanation.form);
  EXPECT_EQ(explanation.verdict, GetParam().verdict) << to_string(explanation.verdict);
}

constexpr auto kPairs = QuantizationForm::kPairs;
constexpr auto kNoForm = QuantizationForm::kNone;
constexpr auto kNotAsked = QuantizationVerdict::kNotAsked;
INSTANTIATE_TEST_SUITE_P(
    Engines, RealEngineQuantization,
    testing::Values(
        RealQuantization{"resnet18-a100-fp16", kNoForm, kNotAsked},
        RealQuantization{"resnet18-a100-qat", kPairs, QuantizationVerdict::kConverts},
        RealQuantization{"resnet18-a100-qat-residual-qgap", kPairs, QuantizationVerdict::kConverts},
        RealQuantization{"openvino2026.4-resnet18-fp32-b8", kNoForm, kNotAsked},
        RealQuantization{"openvino2026.4-resnet18-qdq-shared-b8", kPairs,
                         QuantizationVerdict::kQuantized},
        // TensorRT-RTX has no quantized convolutions.
        RealQuantization{"rtx1.7-resnet18-qdq-naive", kPairs, QuantizationVerdict::kPartly},
        RealQuantization{"rtx1.7-mlp-qdq", kPairs, QuantizationVerdict::kQuantized}),
    [](const testing::TestParamInfo<RealQuantization>& info) {
      std::string name = info.param.engine;
      for (char& c : name) {
        if (c == '-' || c == '.') c = '_';
      }
      return name;
    });

}  // namespace
}  // namespace planex::analyze
