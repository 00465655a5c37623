// Runs with selections, severities, waivers, baselines and user rules.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lint/context.h"
#include "lint/lint_test_model.h"
#include "lint/run.h"

namespace planex::lint {
namespace {

constexpr std::string_view kRule = "reformat-changes-type";

// Convolutions, each with a conversion of 1 ms, 2 ms, … after it.
model::PlanModel with_reformats(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i <= 3 * count; ++i) names.push_back("t" + std::to_string(i));
  std::vector<TestLayer> layers;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view in = names[3 * i], middle = names[3 * i + 1];
    const std::string_view out = names[3 * (i + 1)];
    layers.push_back(
        {names[3 * i + 2], "Convolution", Family::kConvolution, {{in}}, {{middle}}, 9.0});
    layers.push_back({names[3 * i + 1],
                      "Reformat",
                      Family::kReformat,
                      {{middle}},
                      {{out, i % 2 == 0 ? DType::kFp16 : DType::kInt8}},
                      static_cast<double>(i + 1)});
  }
  return make_model("tensorrt", layers, {names.front(), names.back()});
}

std::shared_ptr<const Waivers> waivers(std::vector<Waiver> list) {
  return std::make_shared<const Waivers>(
      std::move(*Waivers::make(std::move(list), *base::parse_date("2026-10-01"), "w.json")));
}

std::shared_ptr<const Baseline> baseline_of(const model::PlanModel& model,
                                            const LintReport& report) {
  const std::vector<std::string> known_by = fingerprints(model, report);
  std::vector<BaselineEntry> entries;
  for (std::size_t i = 0; i < known_by.size(); ++i) {
    const Finding& finding = report.findings[i];
    entries.push_back({std::string(finding.rule), known_by[i], "", finding.message});
  }
  return std::make_shared<const Baseline>(std::move(entries), "old", "b.json");
}

// What is not suppressed, symptoms of other findings included.
std::size_t shown(const LintReport& report) {
  return report.error_count + report.warning_count + report.info_count + report.folded_count;
}

TEST(Selection, LeavesOutWithAReason) {
  const model::PlanModel model = with_reformats(2);
  const LintReport all = run(model);
  ASSERT_EQ(status_of(all, kRule).count, 2U);
  const LintReport one = run(model, {.selection = {.rules = {std::string(kRule)}}});
  EXPECT_EQ(shown(one), 2U);
  EXPECT_EQ(one.rules.size(), all.rules.size());
  EXPECT_EQ(status_of(one, "conversion-over-3-percent").reason, "not selected");
  const LintReport none = run(model, {.selection = {.without = {std::string(kRule)}}});
  EXPECT_EQ(status_of(none, kRule).outcome, RuleOutcome::kSkipped);
  EXPECT_EQ(shown(none), shown(all) - 2);
  const LintReport pack = run(model, {.selection = {.packs = {Pack::kGeneric}}});
  for (const RuleStatus& status : pack.rules) {
    if (status.info->pack != Pack::kGeneric) {
      EXPECT_EQ(status.reason, "pack not selected") << status.info->id;
    }
  }
}

TEST(Severities, RaiseTheRuleAndCapTheRest) {
  const model::PlanModel model = with_reformats(3);
  const LintReport report = run(model, {.severities = {{std::string(kRule), Severity::kError}}});
  // The third is at the output of the engine, a note, and stays one.
  EXPECT_EQ(report.error_count, 2U);
  EXPECT_EQ(status_of(report, kRule).severity, Severity::kError);
  const LintReport lower = run(model, {.severities = {{std::string(kRule), Severity::kInfo}}});
  EXPECT_EQ(lower.error_count, 0U);
  EXPECT_EQ(lower.info_count, run(model).info_count + 2);
}

TEST(Suppression, WaivedAndShownAreAll) {
  const model::PlanModel model = with_reformats(6);
  const LintReport all = run(model);
  const LintReport some =
      run(model, {.waivers = waivers(
                      {{.rule = std::string(kRule), .layer_pattern = "^t[147]$", .reason = "x"}})});
  EXPECT_EQ(some.waived_count, 3U);
  EXPECT_EQ(shown(some) + some.waived_count, shown(all));
  ASSERT_EQ(some.findings.size(), all.findings.size());
  EXPECT_EQ(some.waiver_uses[0].matched_count, 3U);
  EXPECT_EQ(some.waiver_uses[0].state, EntryState::kHolds);
  // 1 + 2 + 3 ms of 1 + … + 6 are waived.
  EXPECT_DOUBLE_EQ(status_of(all, kRule).estimated_ms.value_or(0), 21);
  EXPECT_DOUBLE_EQ(status_of(some, kRule).estimated_ms.value_or(0), 15);
  EXPECT_EQ(status_of(some, kRule).suppressed_count, 3U);
  // The same findings, each with the same estimate.
  std::multiset<std::pair<std::string, double>> before, after;
  const std::vector<std::string> known_by = fingerprints(model, all);
  const std::vector<std::string> still_known_by = fingerprints(model, some);
  for (std::size_t i = 0; i < known_by.size(); ++i) {
    before.emplace(known_by[i], all.findings[i].estimated_ms.value_or(0));
    after.emplace(still_known_by[i], some.findings[i].estimated_ms.value_or(0));
  }
  EXPECT_EQ(before, after);
}

TEST(Suppression, TheTotalLeavesOutWhatIsWaived) {
  const model::PlanModel model = with_reformats(2);
  const Selection only{.rules = {std::string(kRule)}};
  EXPECT_DOUBLE_EQ(run(model, {.selection = only}).estimated_ms.value_or(0), 3);
  const auto big = waivers({{.layer = "t4", .reason = "x"}});
  EXPECT_DOUBLE_EQ(run(model, {.selection = only, .waivers = big}).estimated_ms.value_or(0), 1);
  const auto both = waivers({{.rule = std::string(kRule), .reason = "x"}});
  EXPECT_FALSE(run(model, {.selection = only, .waivers = both}).estimated_ms);
}

TEST(Suppression, ExpiredUnusedAndUnknownWaiversAreSaid) {
  const model::PlanModel model = with_reformats(1);
  const LintReport report = run(
      model,
      {.waivers = waivers(
           {{.rule = std::string(kRule), .reason = "x", .expires = base::parse_date("2026-09-30")},
            {.layer = "gone", .reason = "x"},
            {.rule = "no-such-rule", .reason = "x"},
            {.rule = "quantized-layer-writes-float", .reason = "x"}})});
  EXPECT_EQ(report.waived_count, 0U);
  EXPECT_EQ(report.waiver_uses[0].state, EntryState::kExpired);
  EXPECT_EQ(report.waiver_uses[0].matched_count, 1U);
  EXPECT_EQ(report.waiver_uses[1].state, EntryState::kUnused);
  EXPECT_EQ(report.waiver_uses[2].state, EntryState::kUnknownRule);
  EXPECT_EQ(report.waiver_uses[3].state, EntryState::kNotJudged) << "it is about OpenVINO";
}

TEST(Suppression, ABaselineOfItselfHidesAll) {
  const model::PlanModel model = with_reformats(4);
  const LintReport all = run(model);
  const LintReport again = run(model, {.baseline = baseline_of(model, all)});
  EXPECT_EQ(shown(again), 0U);
  EXPECT_EQ(again.baseline_count, all.findings.size());
  EXPECT_FALSE(again.estimated_ms);
  for (const EntryUse& use : again.baseline_uses) EXPECT_EQ(use.state, EntryState::kHolds);
}

TEST(Suppression, ABaselineTellsWhatIsNewAndWhatIsGone) {
  const model::PlanModel model_of_four = with_reformats(4), model_of_two = with_reformats(2);
  const LintReport four = run(model_of_four);
  const auto baseline_of_four = baseline_of(model_of_four, four);
  const LintReport less = run(model_of_two, {.baseline = baseline_of_four});
  const auto gone = std::ranges::count(less.baseline_uses, EntryState::kUnused, &EntryUse::state);
  EXPECT_EQ(less.baseline_count + static_cast<std::size_t>(gone), four.findings.size());
  EXPECT_GT(gone, 0);
  const LintReport more =
      run(model_of_four, {.baseline = baseline_of(model_of_two, run(model_of_two))});
  EXPECT_EQ(shown(more) + more.baseline_count, four.findings.size());
  EXPECT_GT(shown(more), 0U);
  // A rule that did not run can't say that something is gone.
  const LintReport off =
      run(model_of_two, {.selection = {.packs = {Pack::kOpenVino}}, .baseline = baseline_of_four});
  for (const EntryUse& use : off.baseline_uses) EXPECT_EQ(use.state, EntryState::kNotJudged);
}

TEST(Suppression, AWaiverComesBeforeTheBaseline) {
  const model::PlanModel model = with_reformats(1);
  const LintReport report = run(model, {.waivers = waivers({{.layer_pattern = ".", .reason = "x"}}),
                                        .baseline = baseline_of(model, run(model))});
  EXPECT_EQ(report.baseline_count, 0U);
  EXPECT_EQ(report.waived_count, report.findings.size());
  EXPECT_EQ(report.baseline_uses[0].state, EntryState::kHolds);
}

UserRule user_rule(std::string id, std::vector<FindingDraft> drafts) {
  UserRule rule;
  rule.id = std::move(id);
  rule.summary = "s";
  rule.fix = "f";
  rule.drafts = std::move(drafts);
  return rule;
}

TEST(UserRules, AreReportedLikeTheRest) {
  const model::PlanModel model = with_reformats(2);
  FindingDraft layer{.layer = LayerId(0), .message = "a", .fix = "f", .stated_ms = 4.5};
  FindingDraft engine{.layer = LayerId(), .message = "b", .fix = "g", .stated_ms = 100.0};
  const auto rules = std::make_shared<const UserRules>(
      std::vector<UserRule>{user_rule("mine", {layer, engine}), user_rule("quiet", {})});
  const LintReport report =
      run(model, {.selection = {.rules = {"mine", "quiet"}}, .user_rules = rules});
  EXPECT_EQ(shown(report), 2U);
  EXPECT_EQ(status_of(report, "mine").outcome, RuleOutcome::kFired);
  // Without a layer, it can't be limited by what layers take, and is in no sum.
  EXPECT_DOUBLE_EQ(status_of(report, "mine").estimated_ms.value_or(0), 4.5);
  ASSERT_EQ(report.actions.size(), 2U);
  EXPECT_FALSE(report.actions[1].estimated_ms);
  EXPECT_EQ(status_of(report, "quiet").outcome, RuleOutcome::kSilent);
  // The one with a layer: half of its 9 ms.
  EXPECT_DOUBLE_EQ(report.estimated_ms.value_or(0), 4.5);
  const LintReport waived = run(model, {.selection = {.rules = {"mine"}},
                                        .user_rules = rules,
                                        .waivers = waivers({{.rule = "mine", .reason = "x"}})});
  EXPECT_EQ(waived.waived_count, 2U);
}

// 100 000 findings, half of them waived by patterns, the other half in a baseline.
TEST(Suppression, IsLinear) {
  std::vector<FindingDraft> drafts;
  const model::PlanModel model = with_reformats(2);
  constexpr std::size_t kCount = 100'000;
  for (std::size_t i = 0; i < kCount; ++i) {
    drafts.push_back({.layer = LayerId(i % model.layers.row_count()), .message = "m"});
  }
  const auto rules = std::make_shared<const UserRules>(
      std::vector<UserRule>{user_rule("mine", std::move(drafts))});
  const Selection only{.rules = {"mine"}};
  const LintReport all = run(model, {.selection = only, .user_rules = rules});
  std::vector<Waiver> list;
  for (int i = 0; i < 500; ++i) {
    const std::string one = "x" + std::to_string(i) + "$";
    list.push_back({.layer_pattern = i == 7 ? "^t[12]$" : one, .reason = "x"});
  }
  const LintReport report = run(model, {.selection = only,
                                        .user_rules = rules,
                                        .waivers = waivers(std::move(list)),
                                        .baseline = baseline_of(model, all)});
  EXPECT_EQ(report.waived_count, kCount / 2);
  EXPECT_EQ(report.baseline_count, kCount / 2);
}

}  // namespace
}  // namespace planex::lint
