// What the list of actions promises, for all engines at hand, and single hand-made cases.
#include "lint/actions.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/date.h"
#include "base/files.h"
#include "lint/lint_test_model.h"
#include "support/small_engine.h"
#include "support/test_data.h"

namespace planex::lint {
namespace {

using model::Action;
using model::Certainty;

double layer_ms(const model::PlanModel& model, LayerId layer) {
  const auto median = model.layers.median_ms.get(layer.index());
  return median ? *median : model.layers.mean_ms.get(layer.index()).value_or(0);
}

// Every engine's list: sums, layers and findings.
void check_list(const model::PlanModel& model, const LintReport& report) {
  const model::ActionTotal total = model::total_of(report.actions);
  EXPECT_EQ(report.estimated_ms, total.estimated_ms);
  const auto band = band_of(report);
  ASSERT_EQ(band.has_value(), total.estimated_ms.has_value());
  if (band) {
    EXPECT_EQ(band->low_ms, total.low_ms);
    EXPECT_EQ(band->high_ms, total.high_ms);
  }
  double of_rules = 0;
  for (const RuleStatus& status : report.rules) of_rules += status.estimated_ms.value_or(0);
  EXPECT_NEAR(of_rules, total.estimated_ms.value_or(0), 1e-9);

  std::map<std::size_t, double> saved;  // by layer
  std::vector<std::size_t> actions_of(report.findings.size());
  bool was_unproven = false;
  for (std::size_t i = 0; i < report.actions.size(); ++i) {
    const Action& action = report.actions[i];
    SCOPED_TRACE(action.what);
    EXPECT_TRUE(action.what.ends_with('.'));
    ASSERT_FALSE(action.findings.empty());
    for (const std::size_t finding : action.findings) {
      ASSERT_LT(finding, report.findings.size());
      ++actions_of[finding];
      EXPECT_EQ(report.findings[finding].in_action, i);
    }
    // An unproven fix never leads.
    EXPECT_EQ(action.rank.has_value(), action.certainty != Certainty::kNotProven);
    EXPECT_FALSE(was_unproven && action.rank);
    was_unproven = was_unproven || !action.rank;
    EXPECT_EQ(action.certainty.has_value(), action.kind != ActionKind::kMeasureAgain);

    double own = 0, takes = 0;
    for (const model::ActionLayer& layer : action.layers) {
      takes += layer_ms(model, layer.layer);
      if (!layer.ms) continue;
      EXPECT_GT(*layer.ms, 0);
      own += *layer.ms;
      saved[layer.layer.index()] += *layer.ms;
    }
    EXPECT_NEAR(own, action.estimated_ms.value_or(0), 1e-9);
    EXPECT_EQ(action.high_ms.has_value(), action.estimated_ms.has_value());
    if (!action.estimated_ms) {
      EXPECT_FALSE(action.low_ms);
      continue;
    }
    EXPECT_GT(*action.estimated_ms, 0) << "unknown is null, and nothing is no action";
    EXPECT_LE(*action.high_ms, takes + 1e-9) << "more than its layers take";
    EXPECT_LE(*action.estimated_ms, *action.high_ms + 1e-12);
    EXPECT_LE(action.low_ms.value_or(0), *action.estimated_ms);
    EXPECT_EQ(action.low_ms.has_value(), action.certainty == Certainty::kProven);
  }
  for (const auto& [layer, ms] : saved) {
    EXPECT_LE(ms, layer_ms(model, LayerId(layer)) + 1e-9) << "counted twice: layer " << layer;
  }
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    const Finding& finding = report.findings[i];
    const bool is_in_none =
        finding.suppression || finding.fix.empty() ||
        (finding.folded_into && !report.findings[*finding.folded_into].in_action);
    EXPECT_EQ(actions_of[i], is_in_none ? 0U : 1U) << finding.message;
    if (is_in_none) {
      EXPECT_FALSE(finding.in_action);
      continue;
    }
    const Action& action = report.actions[*finding.in_action];
    if (action.findings.front() != i || action.kind == ActionKind::kMeasureAgain) continue;
    // The certainty follows from the evidence for such advice, and from what the files show.
    if (!finding.proof) {
      EXPECT_EQ(action.certainty, Certainty::kLikely) << "from a user's rule";
      continue;
    }
    const bool gained = *finding.proof != Proof::kNotProven;
    EXPECT_TRUE(gained || action.certainty != Certainty::kProven);
    EXPECT_EQ(action.certainty == Certainty::kNotProven,
              !gained && !action.estimated_ms && finding.savings.empty());
  }
  if (report.end_to_end_ms) {
    EXPECT_LE(total.high_ms.value_or(0), *report.end_to_end_ms + 1e-9);
  }
}

TEST(Actions, OfEveryEngineAddUp) {
  PLANEX_NEED_TEST_DATA(data);
  std::size_t count = 0;
  for (const std::string& folder : test::engine_folders(data)) {
    for (const std::string& engine : test::engines_in(folder, base::disk())) {
      SCOPED_TRACE(engine);
      const model::PlanModel model =
          test::must(test::load_completed({.path = engine}, base::disk()));
      const LintReport report = run_judged(model);
      check_list(model, report);
      count += report.actions.size();
    }
  }
  EXPECT_GT(count, 0U);
}

const Action* action_of(const LintReport& report, std::string_view rule) {
  for (const Action& action : report.actions) {
    if (report.findings[action.findings.front()].rule == rule) return &action;
  }
  return nullptr;
}

// The edit of one place does not gain what all edits of its rule gain together.
TEST(Actions, AnEditGainsWhatItsOwnLayersTake) {
  PLANEX_NEED_TEST_DATA(data);
  const model::PlanModel model = test::must(test::load_engine(data, "resnet18-a100-qat"));
  const LintReport report = run_judged(model);
  ASSERT_FALSE(report.actions.empty());
  const Action& first = report.actions.front();
  EXPECT_EQ(first.what,
            "Put Q/DQ before \"MaxPool_12\", on \"onnx::MaxPool_136\", and drop the one after it.");
  EXPECT_NEAR(first.estimated_ms.value_or(0), 0.119, 0.001);
  EXPECT_EQ(first.certainty, Certainty::kProven);
  EXPECT_EQ(first.command, "planex advise MODEL.onnx --apply -o OUT.onnx --target tensorrt");
  EXPECT_GT(first.findings.size(), 5U) << "its symptoms go with it";
  // One edit that two layers ask for: Q/DQ on the other side of an addition.
  const Finding& ask = report.findings[3];
  EXPECT_EQ(ask.fix, "Put a Q/DQ pair on \"onnx::Add_222\" where the addition \"Add_97\" reads it");
  EXPECT_EQ(ask.in_action, report.findings[4].in_action);
}

test::SmallLayer timed_layer(std::string_view name, std::string_view in, std::string_view out,
                             std::optional<double> ms) {
  return {name, "Convolution", model::Family::kConvolution, {{in}}, {{out}}, ms};
}

std::shared_ptr<const UserRules> user_rules(std::vector<UserRule> rules) {
  return std::make_shared<const UserRules>(std::move(rules));
}

// Its findings say what to do.
UserRule rule_of(std::string id, std::vector<FindingDraft> drafts) {
  UserRule rule;
  rule.id = std::move(id);
  rule.summary = "s";
  rule.drafts = std::move(drafts);
  return rule;
}

LintReport run_user(const model::PlanModel& model, std::vector<UserRule> rules,
                    std::shared_ptr<const Waivers> waivers = nullptr) {
  Selection only;
  for (const UserRule& rule : rules) only.rules.push_back(rule.id);
  return run(model, {.selection = only,
                     .user_rules = user_rules(std::move(rules)),
                     .waivers = std::move(waivers)});
}

class ThreeLayers : public testing::Test {
 protected:
  const model::PlanModel model_ =
      make_model("tensorrt",
                 {timed_layer("a", "x", "y", 4.0), timed_layer("b", "y", "z", 2.0),
                  timed_layer("c", "z", "w", 1.0)},
                 {"x", "w"});
};

TEST_F(ThreeLayers, ALayerThatTwoActionsSaveCountsOnce) {
  const LintReport report =
      run_user(model_, {rule_of("one", {{.layer = LayerId(0),
                                         .message = "m",
                                         .fix = "Do one",
                                         .savings = {{LayerId(0), 0.5}, {LayerId(1), 1.0}}}}),
                        rule_of("two", {{.layer = LayerId(1),
                                         .message = "m",
                                         .fix = "Do two",
                                         .savings = {{LayerId(1), 1.0}, {LayerId(2), 1.0}}}})});
  check_list(model_, report);
  ASSERT_EQ(report.actions.size(), 2U);
  EXPECT_EQ(report.actions[0].what, "Do one.");
  EXPECT_DOUBLE_EQ(report.actions[0].estimated_ms.value_or(0), 4.0);
  // The first one saves 2 of the 3 ms.
  EXPECT_DOUBLE_EQ(report.actions[1].estimated_ms.value_or(0), 1.0);
  EXPECT_DOUBLE_EQ(report.estimated_ms.value_or(0), 5.0);
  EXPECT_FALSE(report.actions[1].layers[0].ms) << "that of layer b is counted above";
}

TEST_F(ThreeLayers, WhatAnotherSavesEntirelyJoinsIt) {
  const LintReport report =
      run_user(model_, {rule_of("part", {{.layer = LayerId(1),
                                          .message = "m",
                                          .fix = "Do a part",
                                          .savings = {{LayerId(1), 0.5}}}}),
                        rule_of("all", {{.layer = LayerId(0),
                                         .message = "m",
                                         .fix = "Do all",
                                         .savings = {{LayerId(0), 0.5}, {LayerId(1), 1.0}}}})});
  check_list(model_, report);
  ASSERT_EQ(report.actions.size(), 1U);
  EXPECT_EQ(report.actions[0].what, "Do all.");
  EXPECT_EQ(report.actions[0].findings.size(), 2U);
}

TEST_F(ThreeLayers, TheSameFixIsOneAction) {
  const LintReport report = run_user(
      model_,
      {rule_of(
          "one",
          {{.layer = LayerId(0), .message = "m", .fix = "Do it", .savings = {{LayerId(0), 0.25}}},
           {.layer = LayerId(2),
            .message = "m",
            .fix = "Do it",
            .savings = {{LayerId(2), 0.5}}}})});
  check_list(model_, report);
  ASSERT_EQ(report.actions.size(), 1U);
  EXPECT_DOUBLE_EQ(report.actions[0].estimated_ms.value_or(0), 1.5);
  EXPECT_EQ(report.actions[0].layers.size(), 2U);
}

TEST_F(ThreeLayers, AnUnknownGainIsNullAndComesAfterKnownOnes) {
  const LintReport report = run_user(
      model_,
      {rule_of("grave",
               {{.layer = LayerId(0), .severity = Severity::kError, .message = "m", .fix = "A"}}),
       rule_of("small", {{.layer = LayerId(2),
                          .severity = Severity::kInfo,
                          .message = "m",
                          .fix = "B",
                          .savings = {{LayerId(2), 1.0}}}})});
  check_list(model_, report);
  ASSERT_EQ(report.actions.size(), 2U);
  EXPECT_EQ(report.actions[0].what, "B.");
  EXPECT_FALSE(report.actions[1].estimated_ms);
  EXPECT_FALSE(report.actions[1].high_ms);
}

TEST_F(ThreeLayers, WaivedFindingsAndThoseWithoutAFixAreInNone) {
  const auto waivers = std::make_shared<const Waivers>(std::move(*Waivers::make(
      {{.rule = "waived", .reason = "x"}}, *base::parse_date("2026-10-01"), "w.json")));
  const LintReport report = run_user(
      model_,
      {rule_of("waived",
               {{.layer = LayerId(0), .message = "m", .fix = "A", .savings = {{LayerId(0), 1.0}}}}),
       rule_of("without", {{.layer = LayerId(1), .message = "m"}})},
      waivers);
  check_list(model_, report);
  EXPECT_TRUE(report.actions.empty());
  EXPECT_FALSE(report.estimated_ms);
  for (const Finding& finding : report.findings) EXPECT_FALSE(finding.in_action);
}

// Times from a disturbed measurement do not show a gain: measuring again comes first, and no range
// is given.
TEST(Actions, OfADisturbedMeasurementBeginWithAnother) {
  PLANEX_NEED_TEST_DATA(data);
  const model::PlanModel model = test::must(
      test::load_completed({.path = data + "/cases/19-openvino-blocked-input"}, base::disk()));
  const LintReport report = run_judged(model);
  check_list(model, report);
  ASSERT_FALSE(report.actions.empty());
  EXPECT_EQ(report.actions.front().kind, ActionKind::kMeasureAgain);
  EXPECT_EQ(report.actions.front().rank, 1);
  for (const Action& action : report.actions) {
    EXPECT_NE(action.certainty, Certainty::kProven);
    EXPECT_FALSE(action.low_ms);
  }
  const Action* half = action_of(report, "float32-on-bfloat16-cpu");
  ASSERT_NE(half, nullptr);
  // Measured elsewhere, but nothing here.
  EXPECT_EQ(half->certainty, Certainty::kLikely);
  EXPECT_EQ(half->kind, ActionKind::kOption);
}

// What one finding knows about an option's gain does not limit it if another one knows nothing.
TEST(Actions, AllFindingsThatAskForHalfPrecisionAreOneOption) {
  PLANEX_NEED_TEST_DATA(data);
  const model::PlanModel model = test::must(
      test::load_completed({.path = data + "/cases/05-int8-backbone-fp32-head"}, base::disk()));
  const LintReport report = run_judged(model);
  check_list(model, report);
  std::size_t count = 0;
  for (const Action& action : report.actions) {
    if (action.kind != ActionKind::kOption) continue;
    ++count;
    EXPECT_GE(action.findings.size(), 2U);
    EXPECT_FALSE(action.estimated_ms);
    EXPECT_TRUE(action.what.starts_with("Build with --fp16 in addition to --int8")) << action.what;
  }
  EXPECT_EQ(count, 1U);
  // About half of the time; the other one saves one percent of it.
  ASSERT_GE(report.actions.size(), 2U);
  EXPECT_EQ(report.actions[0].kind, ActionKind::kOption);
  EXPECT_LT(report.actions[1].estimated_ms.value_or(1), 0.02);
}

}  // namespace
}  // namespace planex::lint
