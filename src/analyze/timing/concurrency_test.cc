#include "analyze/timing/concurrency.h"

#include <gtest/gtest.h>

#include <string_view>

#include "model/builder.h"

namespace planex::analyze {
namespace {

model::PlanModel run_with(std::string_view section, std::string_view key, std::string_view value) {
  model::ModelBuilder builder;
  builder.add_metadata(section, key, value, "run.log");
  return builder.finish();
}

Reconciliation measured_at_once() {
  Reconciliation time;
  time.throughput_per_s = 800;
  time.end_to_end = EndToEnd{.source = "log", .median_ms = 4.5};
  return time;
}

TEST(Concurrency, IsWhatTheRunWasAskedFor) {
  for (const auto& [section, key] :
       {std::pair("inference_options", "Streams"),
        {"inference_options", "Inference Streams"},
        {"configuration setup", "number of parallel infer requests"}}) {
    const auto found =
        find_concurrency(run_with(section, key, "4"), measured_at_once(), std::nullopt);
    ASSERT_TRUE(found) << key;
    EXPECT_EQ(found->at_once, 4);
    EXPECT_EQ(found->source, "options");
    EXPECT_DOUBLE_EQ(found->in_flight.value_or(0), 3.6);
  }
}

TEST(Concurrency, IsWhatOverlappingTimesShow) {
  SteadyState state;
  state.sample_count = 100;
  state.concurrent = 3;
  const auto found =
      find_concurrency(run_with("inference_options", "Streams", "1"), measured_at_once(), state);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at_once, 3);
  EXPECT_EQ(found->source, "times");
}

TEST(Concurrency, IsNoneWhereInferencesFollowOneAnother) {
  EXPECT_FALSE(find_concurrency(run_with("inference_options", "Streams", "1"), measured_at_once(),
                                std::nullopt));
  EXPECT_FALSE(
      find_concurrency(run_with("inference_options", "MaxAuxStreams", "4"), {}, std::nullopt));
  EXPECT_FALSE(
      find_concurrency(run_with("inference_options", "Streams", "123456"), {}, std::nullopt));
  EXPECT_FALSE(
      find_concurrency(run_with("inference_options", "Streams", "many"), {}, std::nullopt));
  // Four were requested, and their times show that they took turns.
  SteadyState state;
  state.sample_count = 100;
  EXPECT_FALSE(
      find_concurrency(run_with("inference_options", "Streams", "4"), measured_at_once(), state));
}

TEST(Concurrency, WithoutThroughputNothingIsInFlight) {
  const auto found =
      find_concurrency(run_with("inference_options", "Streams", "2"), {}, std::nullopt);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->in_flight);
  EXPECT_FALSE(found->latency_ms);
}

}  // namespace
}  // namespace planex::analyze
