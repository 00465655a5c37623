#include "analyze/explain/tactics.h"

#include <gtest/gtest.h>

#include <string_view>

#include "model/builder.h"

namespace planex::analyze {
namespace {

// A hand-made log of choices: ns that are easy to add up.
class TacticsTest : public ::testing::Test {
 protected:
  struct Choice {
    std::string_view layer, inputs = "Half(4,1)", outputs = "Half(4,1)", kind = "layer";
    bool is_used = false;
  };

  std::size_t add(const Choice& of) {
    model::TacticChoicesTable& choices = builder_.model().tactic_choices;
    const std::size_t row = choices.add_row();
    choices.choice_id.set(row, model::ChoiceId(row));
    choices.layer.set(row, text(of.layer));
    choices.kind.set(row, text(of.kind));
    choices.input_formats.set(row, text(of.inputs));
    choices.output_formats.set(row, text(of.outputs));
    choices.answer.set(row, text("timed"));
    choices.version.set(row, 0);
    choices.is_kept.set(row, 1);
    choices.is_used.set(row, of.is_used ? 1 : 0);
    return row;
  }

  // The first candidate of a choice is the chosen one.
  void tactic(std::size_t choice, std::string_view id, double ms) {
    model::TacticChoicesTable& choices = builder_.model().tactic_choices;
    model::TacticsTable& tactics = builder_.model().tactics;
    const std::size_t row = tactics.add_row();
    tactics.choice_id.set(row, model::ChoiceId(choice));
    tactics.runner.set(row, text("Cask"));
    tactics.tactic.set(row, text(id));
    tactics.outcome.set(row, text("timed"));
    tactics.time_ms.set(row, ms);
    const bool is_first = choices.time_ms.is_null(choice);
    tactics.is_chosen.set(row, is_first ? 1 : 0);
    if (is_first) choices.time_ms.set(choice, ms);
  }

  void skipped(std::size_t choice, std::int64_t bytes) {
    model::TacticsTable& tactics = builder_.model().tactics;
    const std::size_t row = tactics.add_row();
    tactics.choice_id.set(row, model::ChoiceId(choice));
    tactics.outcome.set(row, text("skipped-workspace"));
    tactics.requested_bytes.set(row, bytes);
  }

  TacticExplanation explain() {
    model_ = builder_.finish();
    return explain_tactics(model_);
  }

  base::StringId text(std::string_view text) { return builder_.strings().intern(text); }

  model::ModelBuilder builder_;
  model::PlanModel model_;
};

TEST_F(TacticsTest, FindsTheRunnerUpAndItsMargin) {
  const std::size_t choice = add({.layer = "conv", .is_used = true});
  tactic(choice, "1", 0.010);
  tactic(choice, "2", 0.016);
  tactic(choice, "3", 0.012);
  skipped(choice, 1000);
  const TacticExplanation found = explain();
  ASSERT_EQ(found.layers.size(), 1u);
  const LayerTactics& layer = found.layers[0];
  EXPECT_EQ(layer.winner, 0u);
  EXPECT_EQ(layer.runner_up, 2u);
  EXPECT_NEAR(*layer.margin_ms, 0.002, 1e-12);
  EXPECT_NEAR(*layer.margin_share, 0.2, 1e-9);
  EXPECT_EQ(layer.candidates, 4);
  EXPECT_EQ(layer.skipped, 1);
  EXPECT_EQ(layer.fastest_first.back(), 3u);
  // Nothing was timed twice.
  EXPECT_EQ(layer.is_within_noise, std::nullopt);
  EXPECT_EQ(found.noise.share, std::nullopt);
  EXPECT_EQ(found.skipped_workspace, 1);
}

TEST_F(TacticsTest, SaysNothingOfALayerWhoseFormatsAreNotKnown) {
  tactic(add({.layer = "conv"}), "1", 0.010);
  const TacticExplanation found = explain();
  EXPECT_EQ(found.known, 0);
  EXPECT_EQ(found.layers[0].time_ms, std::nullopt);
  EXPECT_EQ(found.layers[0].margin_ms, std::nullopt);
}

TEST_F(TacticsTest, MeasuresNoiseFromTacticsThatWereTimedTwice) {
  const std::size_t close = add({.layer = "close", .is_used = true});
  tactic(close, "1", 0.1003);
  tactic(close, "2", 0.1013);
  const std::size_t far = add({.layer = "far", .is_used = true});
  tactic(far, "1", 0.2007);
  tactic(far, "2", 0.2499);
  // Five pairs that differ by 1, 2, 3, 4 and 5 %: the median is 3 %.
  const double first[] = {0.0117, 0.0231, 0.0319, 0.0433, 0.0577};
  for (int run = 0; run < 2; ++run) {
    const std::size_t again = add({.layer = "again"});
    for (int i = 0; i < 5; ++i) {
      const char id[] = {static_cast<char>('a' + i), '\0'};
      tactic(again, id, first[i] * (run == 0 ? 1 : 1.01 + 0.01 * i));
    }
  }
  const TacticExplanation found = explain();
  EXPECT_EQ(found.noise.repeats, 5);
  EXPECT_NEAR(*found.noise.share, 0.03, 1e-9);
  EXPECT_EQ(found.layers[0].is_within_noise, true);
  EXPECT_EQ(found.layers[1].is_within_noise, false);
  EXPECT_EQ(found.within_noise, 1);
}

// Strides that depend on shapes do not prove the same work.
TEST_F(TacticsTest, DoesNotTakeSymbolicShapesForRepetitions) {
  for (int run = 0; run < 2; ++run) {
    const std::size_t choice = add({.layer = "conv", .inputs = "Half((# 1 (SHAPE x)),1)"});
    for (const char* id : {"1", "2", "3", "4", "5"}) tactic(choice, id, 0.01 + run);
  }
  EXPECT_EQ(explain().noise.repeats, 0);
}

TEST_F(TacticsTest, HoldsWhatOtherFormatsGainAgainstTheirConversions) {
  const auto layer = [&](std::string_view name, std::string_view other) {
    tactic(add({.layer = name, .is_used = true}), "1", 0.010);
    tactic(add({.layer = name, .inputs = other}), "2", 0.007);
  };
  const auto conversion = [&](std::string_view to, double ms) {
    tactic(add({.layer = "Optimizer Reformat(x -> <out>)",
                .inputs = "Half(4,1)",
                .outputs = to,
                .kind = "reformat"}),
           "0", ms);
  };
  layer("costly", "Half(1,4)");
  layer("cheap", "Half(2,2)");
  layer("unknown", "Half(8,8)");
  conversion("Half(1,4)", 0.005);
  conversion("Half(2,2)", 0.001);
  const TacticExplanation found = explain();
  EXPECT_EQ(found.faster_elsewhere, 3);
  EXPECT_EQ(found.lost_to_conversion, 1);
  EXPECT_EQ(found.layers[0].lost_to, LostTo::kConversion);
  EXPECT_NEAR(*found.layers[0].gain_ms, 0.003, 1e-12);
  EXPECT_NEAR(*found.layers[0].conversion_ms, 0.005, 1e-12);
  EXPECT_EQ(found.layers[1].lost_to, LostTo::kOther);
  EXPECT_EQ(found.layers[2].lost_to, LostTo::kUnknown);
  EXPECT_EQ(found.layers[2].conversion_ms, std::nullopt);
}

// The same strides can belong to tensors of different sizes.
TEST_F(TacticsTest, TakesNoConversionWhoseTensorIsNotKnown) {
  tactic(add({.layer = "conv", .is_used = true}), "1", 0.010);
  tactic(add({.layer = "conv", .inputs = "Half(1,4)"}), "2", 0.007);
  for (const std::string_view tensor :
       {"Optimizer Reformat(x -> <out>)", "Optimizer Reformat(y -> <out>)"}) {
    tactic(add({.layer = tensor, .outputs = "Half(1,4)", .kind = "reformat"}), "0", 0.005);
  }
  EXPECT_EQ(explain().layers[0].lost_to, LostTo::kUnknown);
}

TEST_F(TacticsTest, AccountsForTheTimeOfTheBuild) {
  builder_.add_metadata("build", "engine_build_s", "10", "x.log");
  builder_.add_metadata("build", "parse_s", "1", "x.log");
  builder_.add_metadata("build", "tactic_selection_s", "8", "x.log");
  builder_.add_metadata("build", "subgraph_compilation_s", "2", "x.log");
  const std::size_t choice = add({.layer = "conv", .is_used = true});
  builder_.model().tactic_choices.profiling_s.set(choice, 5.0);
  const TacticExplanation found = explain();
  EXPECT_DOUBLE_EQ(*found.build.accounted_s, 9);
  EXPECT_DOUBLE_EQ(*found.build.accounted_share, 0.9);
  ASSERT_EQ(found.build.phases.size(), 4u);
  EXPECT_EQ(found.build.phases[2].phase, "timing-layers");
  EXPECT_EQ(found.build.phases[2].within, "tactic-selection");
  EXPECT_EQ(found.build.phases[3].within, "timing-layers");
  EXPECT_DOUBLE_EQ(*found.build.phases[2].share, 0.5);
}

TEST_F(TacticsTest, IsEmptyWithoutALog) {
  const TacticExplanation found = explain();
  EXPECT_FALSE(has_tactics(model_));
  EXPECT_TRUE(found.layers.empty());
  EXPECT_EQ(found.build.build_s, std::nullopt);
}

}  // namespace
}  // namespace planex::analyze
