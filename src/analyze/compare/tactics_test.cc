#include "analyze/compare/tactics.h"

#include <gtest/gtest.h>

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "model/builder.h"

namespace planex::analyze {
namespace {

using Candidates = std::vector<std::pair<std::string_view, double>>;

// A build of one layer; the first candidate is the winner.
model::PlanModel build(const Candidates& candidates, std::string_view formats = "Half(4,1)") {
  model::ModelBuilder builder;
  const auto text = [&](std::string_view of) { return builder.strings().intern(of); };
  model::TacticChoicesTable& choices = builder.model().tactic_choices;
  const std::size_t choice = choices.add_row();
  choices.choice_id.set(choice, model::ChoiceId(choice));
  choices.layer.set(choice, text("conv"));
  choices.kind.set(choice, text("layer"));
  choices.input_formats.set(choice, text(formats));
  choices.output_formats.set(choice, text("Half(8,1)"));
  choices.answer.set(choice, text("timed"));
  choices.version.set(choice, 0);
  choices.is_kept.set(choice, 1);
  choices.is_used.set(choice, 1);
  choices.runner.set(choice, text("Cask"));
  choices.tactic.set(choice, text(candidates.front().first));
  choices.time_ms.set(choice, candidates.front().second);
  model::TacticsTable& tactics = builder.model().tactics;
  for (const auto& [id, ms] : candidates) {
    const std::size_t row = tactics.add_row();
    tactics.choice_id.set(row, model::ChoiceId(choice));
    tactics.runner.set(row, text("Cask"));
    tactics.tactic.set(row, text(id));
    tactics.outcome.set(row, text("timed"));
    tactics.time_ms.set(row, ms);
    tactics.is_chosen.set(row, row == 0 ? 1 : 0);
  }
  return builder.finish();
}

TEST(TacticDifferencesTest, FindsAnotherWinnerOfTheSameCandidates) {
  const model::PlanModel a = build({{"1", 0.0100}, {"2", 0.0102}});
  const model::PlanModel b = build({{"2", 0.0100}, {"1", 0.0103}});
  const auto found = tactic_differences(a, b);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->layers.size(), 1u);
  const TacticDifference& layer = found->layers[0];
  EXPECT_TRUE(layer.are_candidates_same);
  EXPECT_NEAR(*layer.a_margin_ms, 0.0002, 1e-12);
  EXPECT_NEAR(*layer.b_margin_ms, 0.0003, 1e-12);
  // Two candidates are too few to determine the noise.
  EXPECT_EQ(found->timed_in_both, 2);
  EXPECT_EQ(found->noise_share, std::nullopt);
  EXPECT_EQ(layer.is_within_noise, std::nullopt);
}

TEST(TacticDifferencesTest, TellsNoiseFromCandidatesThatBothTimed) {
  const model::PlanModel a = build({{"1", 100}, {"2", 101}, {"3", 200}, {"4", 300}, {"5", 400}});
  const model::PlanModel b = build({{"2", 99}, {"1", 102}, {"3", 206}, {"4", 312}, {"5", 420}});
  const auto found = tactic_differences(a, b);
  // 2, 2, 3, 4 and 5 %.
  EXPECT_NEAR(*found->noise_share, 0.03, 1e-9);
  EXPECT_EQ(found->layers[0].is_within_noise, false);  // 3 of 99 is more
  EXPECT_EQ(found->same_candidates, 1);
}

TEST(TacticDifferencesTest, DoesNotHoldTimesOfOtherFormatsAgainstOneAnother) {
  const model::PlanModel a = build({{"1", 0.01}, {"2", 0.02}});
  const model::PlanModel b = build({{"1", 0.02}, {"2", 0.03}}, "Float(4,1)");
  const auto found = tactic_differences(a, b);
  ASSERT_EQ(found->layers.size(), 1u);
  EXPECT_FALSE(found->layers[0].are_formats_same);
  EXPECT_EQ(found->layers[0].a_margin_ms, std::nullopt);
  EXPECT_EQ(found->timed_in_both, 0);
}

TEST(TacticDifferencesTest, SaysNothingWithoutTactics) {
  const model::PlanModel a = build({{"1", 0.01}});
  model::ModelBuilder none;
  EXPECT_FALSE(tactic_differences(a, none.finish()));
  EXPECT_TRUE(tactic_differences(a, a)->layers.empty());
}

}  // namespace
}  // namespace planex::analyze
