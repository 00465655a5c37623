// Findings and analyses agree on which conversions are required, and on whether a measurement was
// steady. For all engines at hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "analyze/reformats/reformats.h"
#include "analyze/timing/steady_state.h"
#include "lint/lint_test_model.h"
#include "support/test_data.h"

namespace planex::lint {
namespace {

using model::DType;
using model::Family;

// Rules whose findings say that a conversion could be removed.
constexpr std::array<std::string_view, 4> kOnConversions = {
    "reformat-changes-layout", "reformat-changes-type", "conversion-over-3-percent",
    "layout-round-trip"};

bool is_fired(const LintReport& report, std::string_view rule) {
  return std::ranges::any_of(report.findings,
                             [&](const Finding& finding) { return finding.rule == rule; });
}

void expect_agreement(const model::PlanModel& model, const std::string& engine) {
  const LintReport report = run_judged(model);
  std::set<std::size_t> needed;
  for (const auto& row : analyze::explain_reformats(model, analyze::reconcile(model)).rows) {
    if (row.verdict == analyze::ReformatVerdict::kNeeded) needed.insert(row.layer.index());
  }
  for (const Finding& finding : report.findings) {
    if (std::ranges::find(kOnConversions, finding.rule) == kOnConversions.end()) continue;
    EXPECT_FALSE(needed.contains(finding.layer.index()))
        << engine << " " << finding.rule << " " << finding.layer.index() << " " << finding.message;
  }
  const auto state = analyze::find_steady_state(model);
  if (model.layers.row_count() == 0) return;
  const bool unsteady = state && state->verdict != model::Steadiness::kTooFew &&
                        state->verdict != model::Steadiness::kSteady &&
                        state->verdict != model::Steadiness::kAfterStart;
  EXPECT_EQ(is_fired(report, "inference-times-unsteady"), unsteady) << engine;
}

TEST(Judgements, OfFindingsAreThoseOfAnalyses) {
  PLANEX_NEED_TEST_DATA(data);
  for (const std::string& folder : {data + "/engines", data + "/engines-2"}) {
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const auto model = test::load_completed({.path = entry.path().string()}, base::disk());
      if (model) expect_agreement(*model, entry.path().filename().string());
    }
  }
}

LintReport run_with(const model::TimingJudgement& timing) {
  const model::PlanModel model = make_model(
      "openvino", {{"c", "Convolution", Family::kConvolution, {{"x"}}, {{"y"}}, 1.0}}, {"x", "y"});
  const model::Judgements judgements{.reformats = {}, .timing = timing, .end_to_end_ms = {}};
  return run(model, {.judgements = &judgements});
}

TEST(Judgements, OfSteadinessMakeTheFinding) {
  model::TimingJudgement timing{.sample_count = 1000, .trusted_count = 900};
  for (const auto steady :
       {model::Steadiness::kSteady, model::Steadiness::kAfterStart, model::Steadiness::kTooFew}) {
    timing.steadiness = steady;
    EXPECT_FALSE(is_fired(run_with(timing), "inference-times-unsteady"));
  }
  timing.steadiness = model::Steadiness::kSteps;
  timing.step_count = 6;
  timing.low_ms = 0.25;
  timing.high_ms = 0.3;
  timing.clock_changed = true;
  const LintReport report = run_with(timing);
  const auto finding =
      std::ranges::find(report.findings, "inference-times-unsteady", &Finding::rule);
  ASSERT_NE(finding, report.findings.end());
  EXPECT_EQ(finding->message,
            "inference times change their level 6 times between 250 µs and 300 µs (20.0 %); the "
            "clock changed at the same time");
  EXPECT_EQ(finding->severity, Severity::kWarning);
  // If no clock was read, nothing is said about it; other programs on record are named.
  timing.clock_changed = false;
  timing.machine = model::MachineJudgement{.other_processors = 1.7, .processor_count = 2};
  const LintReport busy = run_with(timing);
  const auto other = std::ranges::find(busy.findings, "inference-times-unsteady", &Finding::rule);
  ASSERT_NE(other, busy.findings.end());
  EXPECT_EQ(other->message,
            "inference times change their level 6 times between 250 µs and 300 µs (20.0 %); likely "
            "cause: other programs took 1.7 of 2 processors");
  timing.machine.reset();
  // Levels that are close together are a note.
  timing.high_ms = 0.252;
  const LintReport close = run_with(timing);
  EXPECT_EQ(close.info_count, 1U);
  EXPECT_EQ(close.warning_count, 0U);
  EXPECT_TRUE(finding->layer.is_null());
}

// A conversion of 4 ms between two convolutions of 1 ms.
model::PlanModel conversion_between() {
  return make_model(
      "tensorrt",
      {{"c", "Convolution", Family::kConvolution, {{"x"}}, {{"a"}}, 1.0},
       {"r", "Reformat", Family::kReformat, {{"a"}}, {{"b", DType::kFp16}}, 4.0},
       {"d", "Convolution", Family::kConvolution, {{"b", DType::kFp16}}, {{"y"}}, 1.0}},
      {"x", "y"});
}

// No gain exceeds an inference, and a layer's worth excludes profiling overhead.
TEST(Judgements, BoundWhatIsPromised) {
  model::PlanModel model = conversion_between();
  model::Judgements judgements;
  judgements.end_to_end_ms = 2.5;
  const LintReport whole = run(model, {.judgements = &judgements});
  EXPECT_DOUBLE_EQ(whole.estimated_ms.value_or(0), 2.5);
  model.layers.corrected_ms.set(1, 1.5);
  const LintReport corrected = run(model, {.judgements = &judgements});
  EXPECT_DOUBLE_EQ(corrected.estimated_ms.value_or(0), 1.5);
  const auto band = band_of(corrected);
  ASSERT_TRUE(band);
  // No pair of engines shows what removing a conversion gains. With profiling overhead the layer
  // takes 4 ms, of which at most one inference can be saved.
  EXPECT_FALSE(band->low_ms);
  EXPECT_DOUBLE_EQ(band->high_ms, 2.5);
}

// For one cold inference, or for the host that starts a device's layers, no gain is promised, and
// no rule mentions shares of time; the advice to measure again is still given.
TEST(Judgements, TimesThatAreNoMeasurePromiseNothing) {
  model::PlanModel model = conversion_between();
  for (std::size_t row = 0; row < 3; ++row) model.layers.count.set(row, 1);
  model::Judgements judgements;
  EXPECT_TRUE(run(model, {.judgements = &judgements}).estimated_ms);
  for (const model::NoMeasure reason :
       {model::NoMeasure::kFirstInference, model::NoMeasure::kHostTimes}) {
    judgements.no_measure = reason;
    const LintReport report = run(model, {.judgements = &judgements});
    EXPECT_FALSE(report.estimated_ms);
    bool measures_again = false;
    for (const RuleStatus& status : report.rules) {
      const bool needs_times =
          std::ranges::find(status.info->needs, Need::kTimes) != status.info->needs.end();
      if (status.info->action == ActionKind::kMeasureAgain) {
        measures_again = measures_again || status.count > 0;
      } else if (needs_times && applies(status.info->pack, "tensorrt")) {
        EXPECT_EQ(status.outcome, RuleOutcome::kSkipped) << status.info->id;
      }
    }
    EXPECT_TRUE(measures_again);
    for (const Finding& finding : report.findings) EXPECT_FALSE(finding.estimated_ms);
  }
}

}  // namespace
}  // namespace planex::lint
