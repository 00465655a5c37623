// Engines of which most is missing, and sentences about times.
#include "render/text/summary_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/missing_pieces.h"
#include "model/builder.h"
#include "render/sentences.h"
#include "render/text/timing_text.h"

namespace planex::render {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

model::PlanModel failed_build(std::string_view message) {
  model::ModelBuilder builder;
  model::EngineTable& engine = builder.model().engine;
  engine.name.set(0, builder.strings().intern("fp8"));
  engine.producer.set(0, builder.strings().intern("tensorrt-rtx"));
  engine.producer_version.set(0, builder.strings().intern("1.7.1.116"));
  engine.detail.set(0, builder.strings().intern("failed"));
  builder.add_file("logs/fp8.build.log", "tensorrt-log", "named by you", 1);
  builder.add_diagnostic({.code = "build-failed",
                          .severity = model::Severity::kError,
                          .message = std::string(message),
                          .file = "logs/fp8.build.log"});
  return builder.finish();
}

TEST(SummaryText, SaysFirstThatABuildFailed) {
  const model::PlanModel model = failed_build(
      "the build failed and there is no engine: a target GPU has no units for a data type; leave "
      "that GPU out");
  const std::string text =
      summary_text(model, analyze::summarize(model), "logs/fp8.build.log", TableStyle{});
  EXPECT_THAT(text, StartsWith("fp8  TensorRT-RTX 1.7.1.116\n"
                               "\n"
                               "The build failed. A target GPU has no units for a data type; leave "
                               "that GPU out.\n"
                               "\n"
                               "  once that is put right:\n"
                               "    python3 -c "));
  // The rest would be empty tables, and commands that find nothing.
  EXPECT_THAT(text, Not(HasSubstr("planex lint")));
  EXPECT_THAT(text, Not(HasSubstr("by type")));
  EXPECT_THAT(text, Not(HasSubstr("odd")));
}

TEST(SummaryText, MessagesOfLogsAreMadePrintable) {
  const model::PlanModel model = failed_build("no colon here \x1b[31m");
  const std::string text =
      summary_text(model, analyze::summarize(model), "x", TableStyle{.color = false});
  EXPECT_THAT(text, HasSubstr("The build failed. No colon here "));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

analyze::SteadyState steady() {
  analyze::SteadyState state;
  state.verdict = analyze::Steadiness::kSteady;
  state.sample_count = 12345;
  return state;
}

TEST(SteadinessText, SaysWhatMatters) {
  analyze::SteadyState state = steady();
  EXPECT_EQ(steadiness_text(state), "steady: all 12\u2009345 samples");
  state.verdict = analyze::Steadiness::kAfterStart;
  state.warm_up = analyze::WarmUp{.range = {.first = 0, .last = 119, .count = 120, .end_ms = 304}};
  state.spikes = analyze::Spikes{.count = 20, .share = 0.002, .cost_share = 0.001};
  state.spikes->period =
      analyze::Period{.ms = 100.2, .samples = 50, .regular_in = "time", .event_count = 20};
  EXPECT_EQ(steadiness_text(state), "steady from sample 120 (0.30 s); spikes every 100 ms");
  state.spikes->count = 80;
  state.spikes->period->regular_in = "samples";
  state.warm_up->range.count = 1;
  state.clock_signs = {analyze::ClockSign::kSteps};
  EXPECT_EQ(steadiness_text(state),
            "steady: all but the first of 12\u2009345 samples; bursts of spikes every 50 samples; "
            "clocks likely unlocked");
}

TEST(SteadinessText, SaysWhatIsNotSteady) {
  analyze::SteadyState state = steady();
  state.verdict = analyze::Steadiness::kSteps;
  state.steps.resize(3);
  state.levels = {{.median_ms = 1.0, .share = 0.6}, {.median_ms = 1.031, .share = 0.4}};
  EXPECT_EQ(steadiness_text(state), "not steady: 3 steps between 2 levels, 3.1 % apart");
  state.verdict = analyze::Steadiness::kDrifts;
  state.drift = analyze::Drift{.change_ratio = 0.042, .is_found = true};
  EXPECT_EQ(steadiness_text(state), "drifts: +4.2 % in 12\u2009345 samples");
  state.verdict = analyze::Steadiness::kTwoModes;
  state.modes = analyze::Modes{.low_ms = 1, .high_ms = 1.05, .low_share = 0.7, .high_share = 0.3};
  state.concurrent = 2;
  state.unusable_count = 1;
  EXPECT_EQ(steadiness_text(state),
            "two values: 1.000 ms (70 %) and 1.050 ms (30 %); 2 inferences at once; 1 sample left "
            "out: no positive time");
  state.verdict = analyze::Steadiness::kTooFew;
  state.sample_count = 12;
  EXPECT_THAT(steadiness_text(state),
              StartsWith("12 samples are too few to tell whether it was steady"));
}

TEST(TimingText, ShowsFewAndNoSamples) {
  model::ModelBuilder none;
  const model::PlanModel empty = none.finish();
  EXPECT_THAT(timing_text(empty, analyze::summarize(empty), TableStyle{}),
              HasSubstr("No times of inferences"));
  model::ModelBuilder few;
  for (int i = 0; i < 3; ++i) {
    const std::size_t row = few.model().iterations.add_row();
    few.model().iterations.latency_ms.set(row, 1.0 + i);
  }
  const model::PlanModel model = few.finish();
  EXPECT_THAT(timing_text(model, analyze::summarize(model), TableStyle{}),
              HasSubstr("3 samples are too few"));
}

}  // namespace
}  // namespace planex::render
