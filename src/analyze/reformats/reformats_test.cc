#include "analyze/reformats/reformats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "analyze/explain/explain_test_engine.h"
#include "analyze/reformats/reformat_verdicts.h"
#include "analyze/summary/summary.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using model::DType;
using model::Family;
using Reason = ReformatReason;

const ReformatRow& conversion_named(const model::PlanModel& model,
                                    const ReformatExplanation& explanation, std::string_view name) {
  for (const ReformatRow& row : explanation.rows) {
    if (model.text(model.layers.name[row.layer.index()]) == name) return row;
  }
  ADD_FAILURE() << "no conversion " << name;
  static const ReformatRow none;
  return none;
}

std::string tensor_name(const model::PlanModel& model, model::TensorId tensor) {
  return std::string(model.text(model.tensors.name[tensor.index()]));
}

// All totals follow from the rows, and every way of adding them up gives the same.
void expect_conversions_closed(const ReformatExplanation& explanation) {
  const auto near = [](std::optional<double> a, double b) {
    return std::fabs(a.value_or(0) - b) <= 1e-12 * std::fmax(1, std::fabs(b));
  };
  double rows = 0, groups = 0, kinds = 0, types = 0, origins = 0;
  std::size_t group_count = 0, kind_count = 0;
  for (const ReformatRow& row : explanation.rows) {
    rows += row.time_ms.value_or(0);
    EXPECT_EQ(row.worth_ms.has_value(),
              row.verdict == ReformatVerdict::kAvoidable && row.time_ms.has_value());
    EXPECT_EQ(row.changed_by == ChangedBy::kNobody, row.verdict != ReformatVerdict::kAvoidable);
    ASSERT_LT(row.group, explanation.groups.size());
  }
  for (const ReformatGroup& group : explanation.groups) {
    groups += group.totals.time_ms.value_or(0);
    group_count += group.rows.size();
    EXPECT_EQ(group.totals.count, group.rows.size());
  }
  for (const LayerTotals& kind : explanation.by_kind) {
    kinds += kind.time_ms.value_or(0);
    kind_count += kind.count;
  }
  for (const auto& word : explanation.by_type) types += word.totals.time_ms.value_or(0);
  for (const auto& word : explanation.by_origin) origins += word.totals.time_ms.value_or(0);
  const auto& [a, n, u] = std::tie(explanation.avoidable, explanation.needed, explanation.unclear);
  EXPECT_EQ(explanation.all.count, explanation.rows.size());
  EXPECT_EQ(explanation.all.count, a.count + n.count + u.count);
  EXPECT_EQ(a.count, explanation.by_model.count + explanation.by_caller.count);
  EXPECT_EQ(explanation.all.count, group_count);
  EXPECT_EQ(explanation.all.count, kind_count);
  EXPECT_TRUE(near(explanation.all.time_ms, rows));
  EXPECT_TRUE(near(explanation.all.time_ms, groups));
  EXPECT_TRUE(near(explanation.all.time_ms, kinds));
  EXPECT_TRUE(near(explanation.all.time_ms, types));
  EXPECT_TRUE(near(explanation.all.time_ms, origins));
  EXPECT_TRUE(near(explanation.all.time_ms,
                   a.time_ms.value_or(0) + n.time_ms.value_or(0) + u.time_ms.value_or(0)));
  EXPECT_TRUE(near(a.time_ms, explanation.by_model.time_ms.value_or(0) +
                                  explanation.by_caller.time_ms.value_or(0)));
}

TEST(ExplainReformats, TheEdgesOfAnEngineAreTheCallers) {
  const EngineOfTest engine = make_engine(
      "tensorrt",
      {{"q",
        "Reformat",
        Family::kReformat,
        {{"x"}},
        {{"xq", DType::kInt8, {}, "NC/32HW32"}},
        1,
        "QDQ"},
       {"c",
        "Convolution",
        Family::kConvolution,
        {{"xq", DType::kInt8, {}, "NC/32HW32"}},
        {{"y", DType::kFp16, {}, "NHWC8"}},
        6},
       {"out",
        "Reformat",
        Family::kReformat,
        {{"y", DType::kFp16, {}, "NHWC8"}},
        {{"z"}},
        2,
        "REFORMAT"},
       {"in4", "Reformat", Family::kReformat, {{"v"}}, {{"v4", DType::kFp16, {}, "NHWC4"}}, 1},
       {"d",
        "Convolution",
        Family::kConvolution,
        {{"v4", DType::kFp16, {}, "NHWC4"}},
        {{"w", DType::kFp16, {}, "NHWC8"}},
        10}},
      {"x", "v", "z", "w"});
  const auto explanation = explain_reformats(engine.model, engine.time);
  expect_conversions_closed(explanation);
  const ReformatRow& q = conversion_named(engine.model, explanation, "q");
  EXPECT_EQ(q.kind, ConversionKind::kQuantize);
  EXPECT_EQ(q.reason, Reason::kQuantizedInput);
  EXPECT_EQ(q.changed_by, ChangedBy::kCaller);
  EXPECT_EQ(q.io_format, "int8:chw32");
  EXPECT_TRUE(q.type_differs && q.layout_differs && q.at_engine_input);
  EXPECT_EQ(q.worth_ms, 1.0);
  EXPECT_DOUBLE_EQ(*q.share, 0.05);  // of 20 ms
  // 2048 elements: read as FP32, written as INT8.
  EXPECT_EQ(q.input_bytes, 8192);
  EXPECT_EQ(q.output_bytes, 2048);
  const ReformatRow& out = conversion_named(engine.model, explanation, "out");
  EXPECT_EQ(out.reason, Reason::kBindOutput);
  EXPECT_EQ(out.io_format, "fp16:hwc8");
  // TensorRT has no word for this one.
  const ReformatRow& in4 = conversion_named(engine.model, explanation, "in4");
  EXPECT_EQ(in4.reason, Reason::kEdgeLayout);
  EXPECT_EQ(in4.verdict, ReformatVerdict::kUnclear);
  EXPECT_FALSE(in4.worth_ms);
  EXPECT_DOUBLE_EQ(*explanation.by_caller.time_ms, 3);
  EXPECT_DOUBLE_EQ(*explanation.unclear.time_ms, 1);
}

TEST(ExplainReformats, AChainOfOneTensorIsOneGroup) {
  // INT8 convolution, pooling in float, a reformat and a quantizer: all disappear with Q/DQ before
  // the pooling.
  const EngineOfTest engine = make_engine(
      "tensorrt",
      {{"c", "Convolution", Family::kConvolution, {{"x", DType::kInt8}}, {{"y"}}, 5},
       {"p", "Pooling", Family::kPool, {{"y"}}, {{"r0"}}, 3},
       {"r", "Reformat", Family::kReformat, {{"r0"}}, {{"r1", DType::kFp16, {}, "NC/32HW32"}}, 1},
       {"q",
        "Reformat",
        Family::kReformat,
        {{"r1", DType::kFp16, {}, "NC/32HW32"}},
        {{"r2", DType::kInt8, {}, "NC/32HW32"}},
        1,
        "QDQ"},
       {"d",
        "Convolution",
        Family::kConvolution,
        {{"r2", DType::kInt8, {}, "NC/32HW32"}, {"r1", DType::kFp16, {}, "NC/32HW32"}},
        {{"z", DType::kFp16, {}, "NC/32HW32"}},
        4}},
      {"x", "z"});
  const auto explanation = explain_reformats(engine.model, engine.time);
  expect_conversions_closed(explanation);
  ASSERT_EQ(explanation.groups.size(), 1U);
  const ReformatGroup& group = explanation.groups[0];
  EXPECT_EQ(tensor_name(engine.model, group.root), "r0");
  EXPECT_EQ(group.writer, model::LayerId(1));
  EXPECT_EQ(group.rows.size(), 2U);
  EXPECT_EQ(group.worth_ms, 2.0);
  for (const char* name : {"r", "q"}) {
    const ReformatRow& row = conversion_named(engine.model, explanation, name);
    EXPECT_EQ(row.reason, Reason::kBeforePool) << name;
    EXPECT_EQ(row.cause_layer, model::LayerId(1));
    EXPECT_EQ(row.confidence, Confidence::kHigh);
    ASSERT_EQ(row.tensors.size(), 1U);
    EXPECT_EQ(tensor_name(engine.model, row.tensors[0]), "y");
    ASSERT_EQ(row.producers.size(), 1U);
    EXPECT_EQ(row.producers[0].layer, model::LayerId(1));
  }
  EXPECT_EQ(conversion_named(engine.model, explanation, "r").consumers.size(), 2U);
}

TEST(ExplainReformats, AResidualInFloatIsNamed) {
  const EngineOfTest engine = make_engine(
      "tensorrt",
      {{"c",
        "Convolution",
        Family::kConvolution,
        {{"x", DType::kInt8}, {"skip", DType::kFp16}},
        {{"y", DType::kFp16}},
        5},
       {"q", "Reformat", Family::kReformat, {{"y", DType::kFp16}}, {{"yq", DType::kInt8}}, 1},
       {"d", "Convolution", Family::kConvolution, {{"yq", DType::kInt8}}, {{"z", DType::kInt8}}, 4},
       {"dq", "Reformat", Family::kReformat, {{"z", DType::kInt8}}, {{"zf", DType::kFp16}}, 1},
       {"e",
        "Convolution",
        Family::kConvolution,
        {{"yq", DType::kInt8}, {"zf", DType::kFp16}},
        {{"w", DType::kFp16}},
        4}},
      {"x", "skip", "w"});
  const auto explanation = explain_reformats(engine.model, engine.time);
  const ReformatRow& q = conversion_named(engine.model, explanation, "q");
  EXPECT_EQ(q.reason, Reason::kWriterCouldQuantize);
  ASSERT_EQ(q.tensors.size(), 1U);
  EXPECT_EQ(tensor_name(engine.model, q.tensors[0]), "skip");
  const ReformatRow& dq = conversion_named(engine.model, explanation, "dq");
  EXPECT_EQ(dq.kind, ConversionKind::kDequantize);
  EXPECT_EQ(dq.reason, Reason::kReaderCouldRead);
  EXPECT_EQ(dq.cause_layer, model::LayerId(4));
}

TEST(ExplainReformats, TwoQuantizersOfOneTensorCouldBeOne) {
  const EngineOfTest engine =
      make_engine("tensorrt",
                  {{"s", "SoftMax", Family::kNorm, {{"x"}}, {{"y"}}, 5},
                   {"q1", "Reformat", Family::kReformat, {{"y"}}, {{"y1", DType::kInt8}}, 1},
                   {"q2", "Reformat", Family::kReformat, {{"y"}}, {{"y2", DType::kInt8}}, 1},
                   {"a", "Convolution", Family::kConvolution, {{"y1", DType::kInt8}}, {{"v"}}, 5},
                   {"b", "Convolution", Family::kConvolution, {{"y2", DType::kInt8}}, {{"w"}}, 5}},
                  {"x", "v", "w"});
  const auto explanation = explain_reformats(engine.model, engine.time);
  EXPECT_EQ(explanation.groups.size(), 1U);
  EXPECT_EQ(conversion_named(engine.model, explanation, "q1").reason, Reason::kFloatWriter);
  EXPECT_EQ(conversion_named(engine.model, explanation, "q1").verdict, ReformatVerdict::kUnclear);
  EXPECT_EQ(conversion_named(engine.model, explanation, "q2").reason, Reason::kShared);
}

TEST(ExplainReformats, LayoutsBetweenKernelsAreTheBuildersChoice) {
  const std::vector<LayerOfTest> layers = {
      {"a", "Convolution", Family::kConvolution, {{"x"}}, {{"y", DType::kFp32, {}, "NHWC"}}, 5},
      {"r", "Reformat", Family::kReformat, {{"y", DType::kFp32, {}, "NHWC"}}, {{"z"}}, 1},
      {"b", "Convolution", Family::kConvolution, {{"z"}}, {{"w"}}, 5}};
  const EngineOfTest timed = make_engine("tensorrt", layers, {"x", "w"});
  const auto explanation = explain_reformats(timed.model, timed.time);
  EXPECT_EQ(explanation.rows.at(0).kind, ConversionKind::kLayout);
  EXPECT_EQ(explanation.rows.at(0).reason, Reason::kKernelChoice);
  EXPECT_EQ(explanation.rows.at(0).verdict, ReformatVerdict::kNeeded);
  // OpenVINO selects by rules, not by measuring.
  const EngineOfTest ruled = make_engine("openvino", layers, {"x", "w"});
  EXPECT_EQ(explain_reformats(ruled.model, ruled.time).rows.at(0).verdict,
            ReformatVerdict::kUnclear);
}

TEST(ExplainReformats, ChannelsThatDoNotFillAVector) {
  const EngineOfTest engine = make_engine("tensorrt",
                                          {{"a",
                                            "Convolution",
                                            Family::kConvolution,
                                            {{"x"}},
                                            {{"y", DType::kInt8, {1, 24, 8, 8}, "NC/4HW4"}},
                                            5},
                                           {"r",
                                            "Reformat",
                                            Family::kReformat,
                                            {{"y", DType::kInt8, {1, 24, 8, 8}, "NC/4HW4"}},
                                            {{"z", DType::kInt8, {1, 24, 8, 8}, "NC/32HW32"}},
                                            1},
                                           {"b",
                                            "Convolution",
                                            Family::kConvolution,
                                            {{"z", DType::kInt8, {1, 24, 8, 8}, "NC/32HW32"}},
                                            {{"w"}},
                                            5}},
                                          {"x", "w"});
  EXPECT_EQ(explain_reformats(engine.model, engine.time).rows.at(0).reason, Reason::kChannels);
}

TEST(ExplainReformats, UnknownIsNeitherNeededNorAvoidable) {
  const EngineOfTest engine = make_engine("tensorrt",
                                          {{"r",
                                            "Reformat",
                                            Family::kReformat,
                                            {{"x", DType::kNull, {}, ""}},
                                            {{"y", DType::kNull, {}, ""}}}},
                                          {"x", "y"});
  const auto explanation = explain_reformats(engine.model, engine.time);
  expect_conversions_closed(explanation);
  const ReformatRow& row = explanation.rows.at(0);
  EXPECT_EQ(row.kind, ConversionKind::kUnknown);
  EXPECT_EQ(row.reason, Reason::kTypesUnknown);
  EXPECT_FALSE(row.time_ms || row.share || row.worth_ms || row.input_bytes);
  EXPECT_FALSE(explanation.all.time_ms);
  EXPECT_EQ(explanation.all.without_time, 1U);
  EXPECT_TRUE(explain_reformats(model::PlanModel(), {}).rows.empty());
}

TEST(IoFormatWord, IsTrtexecs) {
  EXPECT_EQ(io_format_word(DType::kFp32, model::layout_of("NCHW")), "fp32:chw");
  EXPECT_EQ(io_format_word(DType::kInt8, model::layout_of("NC/4HW4")), "int8:chw4");
  EXPECT_EQ(io_format_word(DType::kFp16, model::layout_of("NHWC8")), "fp16:hwc8");
  EXPECT_EQ(io_format_word(DType::kFp16, model::layout_of("NHWC4")), "");
  EXPECT_EQ(io_format_word(DType::kFp64, model::layout_of("NCHW")), "");
}

// --- real engines -------------------------------------------------------------------------------

struct Expected {
  const char* engine;
  std::size_t count;     // family reformat
  double share_percent;  // to two decimals, as the walkthrough has it
  std::size_t in_model, by_caller;
};

TEST(ExplainReformatsOfRealEngines, TheWalkthroughOfResNet18) {
  PLANEX_NEED_TEST_DATA(data);
  for (const Expected& expected : {Expected{"resnet18-a100-qat", 12, 25.42, 11, 1},
                                   Expected{"resnet18-a100-qat-residual", 3, 15.83, 2, 1},
                                   Expected{"resnet18-a100-qat-residual-qgap", 1, 14.16, 0, 1}}) {
    SCOPED_TRACE(expected.engine);
    const model::PlanModel model = test::must(test::load_engine(data, expected.engine));
    const auto explanation = explain_reformats(model, reconcile(model));
    expect_conversions_closed(explanation);
    EXPECT_EQ(explanation.all.count, expected.count);
    ASSERT_TRUE(explanation.all.share);
    EXPECT_NEAR(*explanation.all.share * 100, expected.share_percent, 0.005);
    EXPECT_EQ(explanation.by_model.count, expected.in_model);
    EXPECT_EQ(explanation.by_caller.count, expected.by_caller);
    EXPECT_EQ(explanation.unclear.count + explanation.needed.count, 0U);
  }
}

TEST(ExplainReformatsOfRealEngines, EveryEngineClosesAndHasReasons) {
  PLANEX_NEED_TEST_DATA(data);
  std::vector<std::string> engines(test::kReadableEngines.begin(), test::kReadableEngines.end());
  for (const char* more :
       {"openvino2026.4-resnet18-qdq-naive-b8", "openvino2026.4-resnet18-qdq-shared-b8",
        "rtx1.7-resnet18-qdq-naive", "rtx1.7-resnet18-qdq-residual", "mnist-trt8.6.0-names-only"}) {
    engines.emplace_back(more);
  }
  for (const std::string& engine : engines) {
    SCOPED_TRACE(engine);
    const model::PlanModel model = test::must(test::load_engine(data, engine));
    const auto explanation = explain_reformats(model, reconcile(model));
    expect_conversions_closed(explanation);
    std::size_t reformats = 0, found = 0;
    for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
      const bool counts =
          model.does_work(model::LayerId(row)) && model.layers.family[row] == Family::kReformat;
      if (counts && model.ports_of(model::LayerId(row)).count > 0) ++reformats;
    }
    for (const ReformatRow& row : explanation.rows) {
      if (model.layers.family[row.layer.index()] == Family::kReformat) ++found;
    }
    EXPECT_EQ(found, reformats);
  }
}

TEST(ExplainReformatsOfRealEngines, TensorRtRtxExpandsWeightsInEveryInference) {
  PLANEX_NEED_TEST_DATA(data);
  const model::PlanModel model = test::must(test::load_engine(data, "rtx1.7-resnet18-qdq-naive"));
  const auto explanation = explain_reformats(model, reconcile(model));
  std::size_t weights = 0, round_trips = 0;
  for (const ReformatRow& row : explanation.rows) {
    weights += row.reason == Reason::kWeightsAtRunTime ? 1 : 0;
    round_trips += row.reason == Reason::kRoundTrip ? 1 : 0;
  }
  EXPECT_EQ(weights, 20U);  // one for each convolution
  EXPECT_EQ(round_trips, 16U);
}

}  // namespace
}  // namespace planex::analyze
