#include "analyze/timing/measured_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/complete/complete.h"
#include "analyze/reproduce/missing_pieces.h"
#include "analyze/timing/reconcile.h"
#include "analyze/timing/steady_state.h"
#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

struct ProfileFacts {
  std::int64_t profile_count = 2;
  std::optional<std::int64_t> shown, timed_layer;
  std::string_view command, printed_index;
};

model::PlanModel engine_of_profiles(const ProfileFacts& facts) {
  model::ModelBuilder builder;
  base::StringPool& strings = builder.strings();
  builder.model().engine.producer.set(0, strings.intern("tensorrt"));
  builder.model().engine.producer_version.set(0, strings.intern("10.3.0"));
  builder.model().engine.detail.set(0, strings.intern("full"));
  builder.model().engine.profile_count.set(0, facts.profile_count);
  builder.model().engine.profile_index.set(0, facts.shown);
  if (!facts.command.empty()) builder.add_metadata("command", "trtexec", facts.command, "l");
  if (!facts.printed_index.empty()) {
    builder.add_metadata("inference_options", "Optimization Profile Index", facts.printed_index,
                         "l");
  }
  builder.add_metadata("performance_summary", "Throughput", "500", "l");
  const model::LayerId layer = builder.add_layer(strings.add("conv"));
  builder.model().layers.role.set(layer.index(), model::Role::kWork);
  if (facts.timed_layer) {
    builder.model().layers.profile_index.set(layer.index(), facts.timed_layer);
    builder.model().layers.median_ms.set(layer.index(), 1.0);
  }
  model::IterationsTable& table = builder.model().iterations;
  for (int i = 0; i < 20; ++i) table.compute_ms.set(table.add_row(), 2.0);
  return builder.finish();
}

bool is_shown(const ProfileFacts& facts) {
  return measured_profile(engine_of_profiles(facts)).is_shown;
}

TEST(MeasuredProfile, IsTheFirstUnlessToldOtherwise) {
  EXPECT_TRUE(is_shown({.profile_count = 1, .command = "t --useProfile=3"}));
  EXPECT_TRUE(is_shown({}));
  EXPECT_TRUE(is_shown({.shown = 0}));
  EXPECT_FALSE(is_shown({.shown = 1}));
  EXPECT_TRUE(measured_profile(engine_of_profiles({.shown = 1})).is_default);
}

TEST(MeasuredProfile, IsWhatTheRunSays) {
  EXPECT_TRUE(is_shown({.shown = 1, .command = "t --useProfile=1"}));
  EXPECT_FALSE(is_shown({.shown = 0, .command = "t --useProfile 1"}));
  EXPECT_TRUE(is_shown({.shown = 1, .printed_index = "1"}));
  EXPECT_FALSE(is_shown({.shown = 1, .timed_layer = 1, .printed_index = "0"}));
  EXPECT_TRUE(is_shown({.shown = 1, .timed_layer = 1}));
  EXPECT_FALSE(is_shown({.shown = 0, .timed_layer = 1}));
  // Two runs; it is not known which of them was measured.
  const auto both =
      measured_profile(engine_of_profiles({.command = "t --useProfile=1", .printed_index = "0"}));
  EXPECT_FALSE(both.is_shown);
  EXPECT_FALSE(both.index);
  EXPECT_TRUE(is_shown({.printed_index = "x"}));
}

TEST(MeasuredProfile, TimesOfAnotherAreLeftOut) {
  model::PlanModel model = engine_of_profiles({.shown = 1, .command = "t --useProfile=0"});
  const Reconciliation time = complete(model);
  EXPECT_FALSE(time.end_to_end || time.histogram || time.throughput_per_s || time.gap_ms);
  EXPECT_FALSE(find_steady_state(model));
  EXPECT_THAT(test::diagnostic_codes(model), testing::Contains("times-of-other-profile"));
  EXPECT_EQ(model.iterations.row_count(), 20u) << "nothing is lost";
  bool has_command = false;
  for (const MissingPiece& piece : missing_pieces(model)) {
    if (piece.id != "times") continue;
    has_command = true;
    EXPECT_THAT(piece.command, testing::HasSubstr(" --useProfile=1 "));
  }
  EXPECT_TRUE(has_command);

  model = engine_of_profiles({.shown = 0});
  const Reconciliation own = complete(model);
  EXPECT_TRUE(own.end_to_end && own.throughput_per_s == 500);
  EXPECT_THAT(test::diagnostic_codes(model),
              testing::Not(testing::Contains("times-of-other-profile")));
}

}  // namespace
}  // namespace planex::analyze
