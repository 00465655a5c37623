#include "analyze/explain/waterfall.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "analyze/explain/timing.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

// Two types of 3 and 2 ms in 5 layers, and records that do no work with 0.5 ms.
Summary summary_of(std::optional<double> end_to_end_ms) {
  Summary summary;
  summary.layer_count = 5;
  summary.record_count = 7;
  summary.by_type = {{.key = "Conv",
                      .family = model::Family::kConvolution,
                      .count = 3,
                      .median_ms = 3.0,
                      .mean_ms = 4.0},
                     {.key = "Pool",
                      .family = model::Family::kPool,
                      .count = 2,
                      .median_ms = 2.0,
                      .mean_ms = 2.0}};
  summary.time.basis = TimeBasis::kMedian;
  summary.time.layers_median_ms = 5.5;
  summary.time.layers_mean_ms = 6.5;
  if (end_to_end_ms) {
    summary.time.end_to_end = EndToEnd{};
    summary.time.end_to_end->source = "times";
    summary.time.end_to_end->field = "compute";
    summary.time.end_to_end->median_ms = end_to_end_ms;
  }
  return summary;
}

std::vector<std::string> kinds(const std::vector<WaterfallStep>& steps) {
  std::vector<std::string> result;
  for (const WaterfallStep& step : steps) result.emplace_back(to_string(step.kind));
  return result;
}

// Each step starts where the one before ended, or at 0; sums end where the steps before did.
void expect_that_they_add_up(const std::vector<WaterfallStep>& steps) {
  double at = 0;
  for (const WaterfallStep& step : steps) {
    SCOPED_TRACE(to_string(step.kind));
    EXPECT_EQ(step.from_ms, is_sum(step.kind) ? 0 : at);
    if (is_sum(step.kind)) {
      EXPECT_NEAR(step.to_ms, at, 1e-9 * at);
    }
    at = step.to_ms;
  }
}

using Names = std::vector<std::string>;

TEST(Waterfall, TakesTheProfilingOff) {
  const auto steps = waterfall(summary_of(4.0), {});
  EXPECT_EQ(kinds(steps), (Names{"type", "type", "others", "layers", "overhead", "end-to-end"}));
  EXPECT_EQ(steps[0].type, "Conv");
  EXPECT_EQ(steps[0].count, 3);
  EXPECT_EQ(steps[0].to_ms, 3);
  EXPECT_EQ(steps[1].from_ms, 3);
  EXPECT_EQ(steps[2].to_ms, 5.5);
  EXPECT_EQ(steps[3].count, 5);
  EXPECT_EQ(steps[4].from_ms, 5.5);
  EXPECT_EQ(steps[4].to_ms, 4);
  EXPECT_EQ(steps[4].count, 5);
  expect_that_they_add_up(steps);
}

TEST(Waterfall, AddsWhatNoLayerExplains) {
  const auto steps = waterfall(summary_of(8.0), {});
  EXPECT_EQ(kinds(steps), (Names{"type", "type", "others", "layers", "unexplained", "end-to-end"}));
  expect_that_they_add_up(steps);
}

TEST(Waterfall, KnowsNoOverheadWhereLayersWereTimedInTheSameInferences) {
  for (const double median_ms : {4.0, 8.0}) {
    Summary summary = summary_of(median_ms);
    summary.time.end_to_end->has_layer_times = true;
    const auto steps = waterfall(summary, {});
    EXPECT_EQ(kinds(steps), (Names{"type", "type", "others", "layers", "between", "end-to-end"}));
    expect_that_they_add_up(steps);
  }
}

TEST(Waterfall, PassesTheProfiledInferences) {
  Summary summary = summary_of(4.0);
  summary.time.profiled_median_ms = 6.0;
  const auto steps = waterfall(summary, {});
  EXPECT_EQ(kinds(steps), (Names{"type", "type", "others", "layers", "between", "profiled",
                                 "overhead", "end-to-end"}));
  expect_that_they_add_up(steps);
  summary.time.profiled_median_ms = 3.0;
  EXPECT_EQ(kinds(waterfall(summary, {}))[6], "unexplained");
}

TEST(Waterfall, GoesOnToTheLatency) {
  TimingSamples samples;
  samples.fields = {{.field = "compute", .all = SampleFigures{.median_ms = 4}},
                    {.field = "latency", .all = SampleFigures{.median_ms = 4.7}},
                    {.field = "h2d", .all = SampleFigures{.median_ms = 0.5}},
                    {.field = "d2h", .all = SampleFigures{.median_ms = 0.1}}};
  const auto steps = waterfall(summary_of(4.0), samples);
  EXPECT_EQ(kinds(steps), (Names{"type", "type", "others", "layers", "overhead", "end-to-end",
                                 "to-device", "from-device", "rest", "latency"}));
  EXPECT_NEAR(steps[8].to_ms - steps[8].from_ms, 0.1, 1e-12);
  expect_that_they_add_up(steps);
  // Nothing was transferred, and the latency is the compute time.
  samples.fields[1].all->median_ms = 4;
  samples.fields[2].all->median_ms = samples.fields[3].all->median_ms = 0;
  EXPECT_EQ(waterfall(summary_of(4.0), samples).size(), 6U);
}

TEST(Waterfall, EndsWithWhatIsKnown) {
  EXPECT_EQ(kinds(waterfall(summary_of({}), {})), (Names{"type", "type", "others", "layers"}));
  Summary none = summary_of(4.0);
  none.time.basis = TimeBasis::kNone;
  EXPECT_TRUE(waterfall(none, {}).empty());
  Summary mean = summary_of({});
  mean.time.basis = TimeBasis::kMean;
  EXPECT_EQ(waterfall(mean, {})[0].to_ms, 4);
}

TEST(Waterfall, AddsUpOnRealEngines) {
  PLANEX_NEED_TEST_DATA(data);
  for (const char* name : {"resnet18-a100-qat", "mobilenet-titanrtx-qat", "controlnet-a10-trt8.6",
                           "openvino2026.4-resnet18-fp32-b8", "resnet18-trt10-fp16"}) {
    SCOPED_TRACE(name);
    const model::PlanModel model = test::must(test::load_engine(data, name));
    const Summary summary = summarize(model);
    const auto steps = explain_timing(model, summary).waterfall;
    ASSERT_FALSE(steps.empty());
    expect_that_they_add_up(steps);
    if (summary.time.end_to_end) {
      EXPECT_EQ(steps.back().to_ms, summary.time.end_to_end->median_ms);
    }
  }
}

}  // namespace
}  // namespace planex::analyze
