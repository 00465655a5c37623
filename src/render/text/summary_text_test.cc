// Engines of which most is missing, and sentences about times.
#include "render/text/summary_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/reproduce/missing_pieces.h"
#include "model/builder.h"
#include "render/text/timing_text.h"
#include "render/words/sentences.h"

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
                               "  next:\n"
                               "    python3 -c "));
  // The rest would be empty tables, and commands that find nothing.
  EXPECT_THAT(text, Not(HasSubstr("planex lint")));
  EXPECT_THAT(text, Not(HasSubstr("by type")));
  EXPECT_THAT(text, Not(HasSubstr("odd")));
}

// An engine of two optimization profiles, of which the second was never run.
model::PlanModel two_profiles(std::int64_t shown) {
  model::ModelBuilder builder;
  model::EngineTable& engine = builder.model().engine;
  engine.producer.set(0, builder.strings().intern("tensorrt"));
  engine.detail.set(0, builder.strings().intern("full"));
  engine.profile_index.set(0, shown);
  // As large as a name of a layer may say.
  engine.profile_count.set(0, 1'000'000'000);
  for (const std::int64_t profile : {0, 1}) {
    const model::LayerId layer = builder.add_layer(builder.strings().add("conv"));
    model::LayersTable& layers = builder.model().layers;
    layers.role.set(layer.index(), model::Role::kWork);
    layers.family.set(layer.index(), model::Family::kConvolution);
    layers.profile_index.set(layer.index(), profile);
    if (profile == 0) layers.median_ms.set(layer.index(), 2.0);
  }
  return builder.finish();
}

TEST(SummaryText, TimesAreOfTheShownProfile) {
  const model::PlanModel ran = two_profiles(0);
  const std::string with = summary_text(ran, analyze::summarize(ran), "x", TableStyle{});
  EXPECT_THAT(with, HasSubstr("Σ layers    2.000"));
  const model::PlanModel other = two_profiles(1);
  const std::string without = summary_text(other, analyze::summarize(other), "x", TableStyle{});
  EXPECT_THAT(without, Not(HasSubstr("2.000")));
  EXPECT_THAT(without, HasSubstr("No layer times."));
  EXPECT_THAT(without, HasSubstr("  to see per-layer times:\n    trtexec --loadEngine="));
}

TEST(SummaryText, ListsTheProfilesThatTheFileHas) {
  const model::PlanModel model = two_profiles(1);
  EXPECT_THAT(summary_text(model, analyze::summarize(model), "x", TableStyle{}),
              HasSubstr("  profile 0         1 layer\n"
                        "  profile 1, shown  1 layer\n"
                        "  999999998 of 1000000000 profiles are not in the file\n"));
}

TEST(SummaryText, WeightsThatSomeLayersDontTellAreALowerBound) {
  model::PlanModel model = two_profiles(0);
  EXPECT_THAT(summary_text(model, analyze::summarize(model), "x", TableStyle{}),
              Not(HasSubstr("weights")));
  model.layers.role.set(1, model::Role::kWork);
  model.layers.profile_index.set(1, 0);
  model.layers.weight_bytes.set(1, 4000);
  EXPECT_THAT(summary_text(model, analyze::summarize(model), "x", TableStyle{}),
              HasSubstr("weights ≥ 4.00 kB"));
  model.layers.weight_bytes.set(0, 1000);
  EXPECT_THAT(summary_text(model, analyze::summarize(model), "x", TableStyle{}),
              HasSubstr("weights 5.00 kB"));
}

TEST(SummaryText, SaysFirstThatALogHasNoLayers) {
  model::ModelBuilder builder;
  builder.model().engine.name.set(0, builder.strings().intern("b"));
  builder.model().engine.producer.set(0, builder.strings().intern("tensorrt"));
  builder.model().engine.producer_version.set(0, builder.strings().intern("11.0.0"));
  builder.model().engine.detail.set(0, builder.strings().intern("no-layers"));
  builder.add_diagnostic({.code = "no-layers", .message = "the log lists no layers"});
  builder.add_metadata("command", "trtexec", "trtexec --onnx=m.onnx --saveEngine=m.trt", "b.log");
  const model::PlanModel model = builder.finish();
  const std::string text = summary_text(model, analyze::summarize(model), "b.log", TableStyle{});
  EXPECT_THAT(text, StartsWith("b  TensorRT 11.0.0\n\nThe log lists no layers. "));
  EXPECT_THAT(text, HasSubstr("\n\n  to see types, tensors, precisions:\n"
                              "    trtexec --onnx=m.onnx --saveEngine=m.trt "
                              "--profilingVerbosity=detailed"));
  EXPECT_THAT(text, Not(HasSubstr("by type")));
  EXPECT_THAT(text, Not(HasSubstr("odd")));
}

TEST(SaidAlready, OnlyWhatTheFirstLinesSay) {
  const std::vector<analyze::DiagnosticGroup> all = {
      {.code = "build-failed",
       .message = "the build failed: why. The error is \"E 1\"",
       .count = 1},
      {.code = "trt-error", .message = "the log says: \"E 1\"", .count = 1},
      {.code = "trt-error", .message = "the log says: \"E 2\"", .count = 1}};
  EXPECT_TRUE(is_said_already(all[0], "failed", all));
  EXPECT_TRUE(is_said_already(all[1], "failed", all));
  EXPECT_FALSE(is_said_already(all[2], "failed", all));
  EXPECT_FALSE(is_said_already(all[1], "full", all));
  EXPECT_FALSE(is_said_already(all[1], "failed", {all[1]}));
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
            "steady: all but the first of 12\u2009345 samples; bursts of spikes every 50 samples")
      << "times alone are no evidence of a clock";
}

TEST(SteadinessText, SaysWhatIsNotSteady) {
  analyze::SteadyState state = steady();
  state.verdict = analyze::Steadiness::kSteps;
  state.steps.resize(3);
  state.levels = {{.median_ms = 1.0, .share = 0.6}, {.median_ms = 1.031, .share = 0.4}};
  EXPECT_EQ(steadiness_text(state), "not steady: 3 steps between 2 levels, 3.1 % apart");
  state.verdict = analyze::Steadiness::kDrifts;
  state.drift = analyze::Drift{.change_ratio = 0.042, .is_significant = true};
  EXPECT_EQ(steadiness_text(state), "drifts: +4.2 % in 12\u2009345 samples");
  state.verdict = analyze::Steadiness::kTwoModes;
  state.modes = analyze::Modes{.low_ms = 1, .high_ms = 1.05, .low_share = 0.7, .high_share = 0.3};
  state.concurrent = 2;
  state.unusable_count = 1;
  EXPECT_EQ(
      steadiness_text(state),
      "two values: 1.000 ms (70 %) and 1.050 ms (30 %); 2 concurrent inferences; 1 sample left "
      "out: no positive time");
  state.verdict = analyze::Steadiness::kTooFew;
  state.sample_count = 12;
  EXPECT_THAT(steadiness_text(state), StartsWith("12 samples are too few to judge steadiness"));
}

TEST(TimingText, ShowsFewAndNoSamples) {
  model::ModelBuilder none;
  const model::PlanModel empty = none.finish();
  EXPECT_THAT(timing_text(empty, analyze::summarize(empty), TableStyle{}),
              HasSubstr("No inference times"));
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
