#include "lint/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "lint/context.h"
#include "lint/lint_test_model.h"

namespace planex::lint {
namespace {

using model::Role;

TestLayer reformat(std::string_view name, std::string_view from, std::string_view to, DType a,
                   DType b, std::optional<double> ms) {
  return {name, "Reformat", Family::kReformat, {{from, a}}, {{to, b}}, ms};
}

TEST(Registry, IdsAreUniqueAndDescribed) {
  std::set<std::string_view> ids;
  for (const Rule* rule : rules()) {
    const RuleInfo& info = rule->info;
    EXPECT_TRUE(ids.insert(info.id).second) << info.id;
    EXPECT_EQ(find_rule(info.id), rule);
    for (const std::string_view text :
         {info.summary, info.rationale, info.fix, info.source, info.evidence, info.estimate}) {
      EXPECT_FALSE(text.empty()) << info.id;
      EXPECT_NE(text.back(), '.') << info.id;
    }
    // A rule that is only about the measurement needs nothing from the layers.
    EXPECT_TRUE(!info.needs.empty() ||
                info.estimate == "none: the finding is about the measurement")
        << info.id;
    EXPECT_NE(info.severity, Severity::kNull);
  }
  EXPECT_EQ(find_rule("no-such-rule"), nullptr);
}

TEST(Packs, AreNamedAndApplyByTheProducer) {
  for (const Pack pack : kPacks) {
    EXPECT_EQ(parse_pack(to_string(pack)), pack);
    EXPECT_FALSE(subject_of(pack).empty());
    EXPECT_EQ(applies(pack, ""), pack == Pack::kGeneric);
    EXPECT_EQ(applies(pack, "tensorrt"), pack == Pack::kGeneric || pack == Pack::kTensorRt);
    EXPECT_EQ(applies(pack, "openvino"), pack == Pack::kGeneric || pack == Pack::kOpenVino);
    EXPECT_EQ(applies(pack, "onnxruntime"), pack == Pack::kGeneric || pack == Pack::kOnnxRuntime);
  }
  EXPECT_TRUE(applies(Pack::kTensorRt, "tensorrt-rtx"));
  EXPECT_TRUE(applies(Pack::kTensorRtRtx, "tensorrt-rtx"));
  EXPECT_EQ(parse_pack("tensorrt-llm"), std::nullopt);
}

TEST(Run, EmptyModelSkipsEverything) {
  model::ModelBuilder builder;
  const LintReport report = run(builder.finish());
  EXPECT_TRUE(report.findings.empty());
  EXPECT_FALSE(report.estimated_ms);
  for (const RuleStatus& status : report.rules) {
    EXPECT_EQ(status.outcome, RuleOutcome::kSkipped);
    EXPECT_FALSE(status.reason.empty());
  }
}

TEST(Run, OtherEnginesAreSkippedWithAReason) {
  const model::PlanModel model = make_model(
      "openvino", {reformat("r", "x", "y", DType::kFp32, DType::kFp16, 1.0)}, {"x", "y"});
  const LintReport report = run(model);
  const RuleStatus& status = status_of(report, "reformat-changes-type");
  EXPECT_EQ(status.outcome, RuleOutcome::kSkipped);
  EXPECT_EQ(status.reason, "for TensorRT engines only");
}

TEST(Run, UnknownTypesAreNotPassed) {
  const model::PlanModel model =
      make_model("tensorrt",
                 {reformat("r", "x", "y", DType::kNull, DType::kNull, 1.0),
                  {"p", "Pooling", Family::kPool, {{"y"}}, {{"z"}}, 1.0}},
                 {"x", "z"});
  const LintReport report = run(model);
  const RuleStatus& status = status_of(report, "reformat-changes-type");
  EXPECT_EQ(status.outcome, RuleOutcome::kSkipped);
  EXPECT_EQ(status.reason, "1 layer could not be judged: their types are not known");
}

TEST(Run, WithoutTimesNothingIsEstimated) {
  const model::PlanModel model = make_model(
      "tensorrt",
      {{"c", "Convolution", Family::kConvolution, {{"x"}}, {{"a"}}, std::nullopt},
       reformat("r", "a", "b", DType::kFp32, DType::kFp16, std::nullopt),
       {"d", "Convolution", Family::kConvolution, {{"b", DType::kFp16}}, {{"y"}}, std::nullopt}},
      {"x", "y"});
  const LintReport report = run(model);
  EXPECT_FALSE(report.estimated_ms);
  EXPECT_EQ(status_of(report, "conversion-over-3-percent").reason, "no layer times: add a profile");
  const auto finding = std::ranges::find(report.findings, "reformat-changes-type", &Finding::rule);
  ASSERT_NE(finding, report.findings.end());
  EXPECT_FALSE(finding->estimated_ms);
  EXPECT_NE(finding->estimate_method.find("not measured"), std::string::npos);
  ASSERT_EQ(finding->savings.size(), 1U);
  EXPECT_FALSE(finding->savings[0].ms);
}

// Two convolutions feed one addition that is quantized: its time is a saving of both.
TEST(Run, ATimeThatSeveralFindingsNameIsDivided) {
  const std::vector<TestPort> i8 = {{"q", DType::kInt8}};
  const model::PlanModel model =
      make_model("openvino",
                 {{"c1", "Convolution", Family::kConvolution, i8, {{"a"}}, 5.0},
                  {"c2", "Convolution", Family::kConvolution, i8, {{"b"}}, 5.0},
                  {"add", "Subgraph", Family::kOpaque, {{"a"}, {"b"}}, {{"s", DType::kInt8}}, 2.0},
                  {"c3", "Convolution", Family::kConvolution, {{"s", DType::kInt8}}, {{"y"}}, 5.0}},
                 {"q", "y"});
  const LintReport report = run(model);
  const RuleStatus& status = status_of(report, "quantized-layer-writes-float");
  EXPECT_EQ(status.count, 2U);
  ASSERT_TRUE(status.estimated_ms);
  EXPECT_DOUBLE_EQ(*status.estimated_ms, 2.0);
  for (const Finding& finding : report.findings) {
    if (finding.rule != "quantized-layer-writes-float") continue;
    EXPECT_DOUBLE_EQ(finding.estimated_ms.value_or(0), 1.0);
    EXPECT_NE(finding.estimate_method.find("share its time"), std::string::npos);
    ASSERT_EQ(finding.savings.size(), 1U);
    EXPECT_EQ(finding.savings[0].layer, LayerId(2));
    EXPECT_DOUBLE_EQ(finding.savings[0].fraction, 1);
    EXPECT_DOUBLE_EQ(finding.savings[0].ms.value_or(0), 1.0);
    EXPECT_NE(finding.fix.find("\"a\""), std::string::npos) << finding.fix;
    EXPECT_NE(finding.fix.find("\"b\""), std::string::npos) << finding.fix;
  }
  EXPECT_DOUBLE_EQ(report.estimated_ms.value_or(0), 2.0);
}

TEST(Run, OrderIsByEstimateThenLayer) {
  const model::PlanModel model =
      make_model("tensorrt",
                 {{"c", "Convolution", Family::kConvolution, {{"x"}}, {{"a"}}, 1.0},
                  reformat("big", "a", "b", DType::kFp32, DType::kFp16, 3.0),
                  reformat("small", "b", "e", DType::kFp16, DType::kFp32, 0.01),
                  {"d", "Convolution", Family::kConvolution, {{"e"}}, {{"y"}}, 1.0}},
                 {"x", "y"});
  const LintReport report = run(model);
  double last = 1e9;
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    const double estimate = status_of(report, report.findings[i].rule).estimated_ms.value_or(-1);
    EXPECT_LE(estimate, last);
    last = estimate;
    if (i > 0 && report.findings[i].rule == report.findings[i - 1].rule) {
      EXPECT_LE(report.findings[i - 1].layer, report.findings[i].layer);
    }
  }
  EXPECT_EQ(report.warning_count + report.info_count + report.error_count + report.folded_count,
            report.findings.size());
}

TEST(Store, RowsAreFindingsAndAreWrittenOnce) {
  model::PlanModel model =
      make_model("tensorrt",
                 {{"c", "Convolution", Family::kConvolution, {{"x"}}, {{"a"}}, 1.0},
                  reformat("r", "a", "y", DType::kFp32, DType::kFp16, 3.0)},
                 {"x", "y"});
  const LintReport report = run(model);
  ASSERT_FALSE(report.findings.empty());
  store(report, model);
  store(report, model);
  ASSERT_EQ(model.findings.row_count(), report.findings.size() - report.folded_count);
  std::size_t row = 0;
  for (const Finding& finding : report.findings) {
    if (finding.folded_into) continue;
    EXPECT_EQ(model.text(model.findings.rule[row]), finding.rule);
    EXPECT_EQ(model.text(model.findings.fix[row]), finding.fix);
    EXPECT_EQ(model.findings.layer_id[row], finding.layer);
    EXPECT_EQ(model.findings.estimated_ms.get(row), finding.estimated_ms);
    ++row;
  }
}

TEST(Context, SeveralWritersAndRepeatedInputsAreLegal) {
  const model::PlanModel model =
      make_model("tensorrt",
                 {{"w1", "Convolution", Family::kConvolution, {{"x"}}, {{"cat"}}, 1.0},
                  {"w2", "Convolution", Family::kConvolution, {{"x"}}, {{"cat"}}, 1.0},
                  {"r", "ElementWise", Family::kPointwise, {{"cat"}, {"cat"}}, {{"y"}}, 1.0}},
                 {"x", "y"});
  const Context context(model);
  const TensorId cat = context.tensor_of(context.outputs(LayerId(0)).front());
  EXPECT_EQ(context.writers(cat).size(), 2U);
  EXPECT_EQ(context.readers(cat).size(), 2U);
  EXPECT_EQ(context.real_readers(cat).reaches.size(), 2U);
  EXPECT_EQ(context.real_writers(cat).reaches.size(), 2U);
  run(model);
}

TEST(Context, WalksPassNoOpsAndReformatsAndEndOnRings) {
  const model::PlanModel model =
      make_model("tensorrt",
                 {{"c", "Convolution", Family::kConvolution, {{"x"}}, {{"a"}}, 1.0},
                  {"n", "NoOp", Family::kOther, {{"a"}}, {{"b"}}, std::nullopt, {}, Role::kNoOp},
                  reformat("r", "b", "e", DType::kFp32, DType::kInt8, 1.0),
                  reformat("ring", "e", "b", DType::kInt8, DType::kFp32, 1.0),
                  {"d", "Convolution", Family::kConvolution, {{"e", DType::kInt8}}, {{"y"}}, 1.0}},
                 {"x", "y"});
  const Context context(model);
  const Walk walk = context.real_readers(context.tensor_of(context.outputs(LayerId(0)).front()));
  ASSERT_EQ(walk.reaches.size(), 1U);
  EXPECT_EQ(walk.reaches[0].layer, LayerId(4));
  EXPECT_EQ(walk.reaches[0].conversions, std::vector<LayerId>{LayerId(2)});
  run(model);
}

TEST(Context, WhatComesFromConstantsIsConstant) {
  const model::PlanModel model = make_model(
      "openvino",
      {{"k", "Const", Family::kOther, {}, {{"w"}}, std::nullopt, {}, Role::kConstant},
       reformat("once", "w", "w16", DType::kFp32, DType::kBf16, 9.0),
       {"c", "Convolution", Family::kConvolution, {{"x"}, {"w16", DType::kBf16}}, {{"y"}}, 1.0}},
      {"x", "y"});
  const Context context(model);
  EXPECT_FALSE(context.is_conversion(LayerId(1)));
  EXPECT_EQ(context.inputs(LayerId(2)).size(), 1U);
  EXPECT_EQ(status_of(run(model), "conversion-over-3-percent").outcome, RuleOutcome::kSilent);
}

TEST(Context, NamesOfHostileFilesAreSafeInMessages) {
  const std::string evil = "a\x1b[2J" + std::string(1000, 'x') + "end";
  const model::PlanModel model =
      make_model("tensorrt",
                 {{"c", "Convolution", Family::kConvolution, {{"x"}}, {{"a"}}, 1.0},
                  reformat(evil, "a", "b", DType::kFp32, DType::kFp16, 1.0),
                  {"d", "Convolution", Family::kConvolution, {{"b"}}, {{"y"}}, 1.0}},
                 {"x", "y"});
  const Context context(model);
  const std::string name = context.name(LayerId(1));
  EXPECT_EQ(name.find('\x1b'), std::string::npos);
  EXPECT_LT(name.size(), 300U);
  EXPECT_TRUE(name.ends_with("end\"")) << name;
}

// Chains of conversions must not make the run quadratic: 20 000 reformats in a row take no longer
// than as many side by side.
TEST(Run, LongChainsOfConversionsStayLinear) {
  std::vector<std::string> names;
  constexpr std::size_t kLength = 5000;
  for (std::size_t i = 0; i <= kLength; ++i) names.push_back("t" + std::to_string(i));
  std::vector<TestLayer> layers;
  for (std::size_t i = 0; i < kLength; ++i) {
    layers.push_back(reformat(names[i], names[i], names[i + 1],
                              i % 2 == 0 ? DType::kFp32 : DType::kFp16,
                              i % 2 == 0 ? DType::kFp16 : DType::kFp32, 1.0));
  }
  const LintReport report = run(make_model("tensorrt", layers, {names.front(), names.back()}));
  const RuleStatus& status = status_of(report, "reformat-changes-type");
  EXPECT_EQ(status.count + status.folded_count, kLength);
}

TEST(Format, Microseconds) {
  EXPECT_EQ(microseconds(0.0369), "36.9 µs");
  EXPECT_EQ(microseconds(0.202), "202 µs");
  EXPECT_EQ(microseconds(0.00717), "7.17 µs");
  EXPECT_EQ(microseconds(1.5), "1500 µs");
  EXPECT_EQ(microseconds(0), "0 µs (too short for the profiler)");
}

}  // namespace
}  // namespace planex::lint
