#include "analyze/machine/machine_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "analyze/complete/complete.h"
#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// 2000 inferences end to end, and a sample every 100 ms from a second before them to one after.
struct Recorded {
  std::function<double(int inference)> latency_ms = [](int) { return 2.0; };
  std::function<void(model::MachineSamplesTable& table, std::size_t row, double ms)> sample;
  // Of the machine's clock, less that of the times.
  std::int64_t origin_ns = -1'000'000'000;
  bool tells_origin = true;
};

model::PlanModel model_of_run(const Recorded& run) {
  model::ModelBuilder builder;
  model::IterationsTable& times = builder.model().iterations;
  double start = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::size_t row = times.add_row();
    // No two are equal, as in real measurements.
    const double ms = run.latency_ms(i) * (1 + 0.0005 * ((i * 7919) % 13 - 6));
    times.index.set(row, i);
    times.start_ms.set(row, start);
    times.latency_ms.set(row, ms);
    times.end_ms.set(row, start + ms);
    start += ms;
  }
  model::MachineSamplesTable& samples = builder.model().machine_samples;
  for (double ms = 0; ms < start + 2000; ms += 100) {
    const std::size_t row = samples.add_row();
    samples.time_ms.set(row, ms);
    if (run.sample) run.sample(samples, row, ms - 1000);
  }
  builder.add_metadata("machine", "cpu.count", "4", "m");
  if (run.tells_origin) {
    constexpr std::int64_t kTimes = 5'000'000'000'000;
    builder.add_metadata("times", "origin_monotonic_ns", std::to_string(kTimes), "t");
    builder.add_metadata("machine", "origin_monotonic_ns", std::to_string(kTimes + run.origin_ns),
                         "m");
  }
  model::PlanModel model = builder.finish();
  complete(model);
  return model;
}

MachineState state_of(const Recorded& run) {
  const model::PlanModel model = model_of_run(run);
  return find_machine_state(model, find_steady_state(model)).value();
}

std::vector<std::string> causes_of(const MachineState& state) {
  std::vector<std::string> lines;
  for (const MachineCause& cause : state.causes) {
    std::string line =
        std::string(to_string(cause.event)) + " " + std::string(to_string(cause.kind));
    line += " " + std::to_string(std::llround(cause.from * 10));
    line += " " + std::to_string(std::llround(cause.to * 10));
    for (const ThrottleReason reason : cause.reasons) {
      line += " " + std::string(model::to_string(reason));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

constexpr double kFallMs = 812 * 2.0;

// The GPU's clock falls when inference 812 begins: a power cap.
Recorded falling_clock() {
  return {.latency_ms = [](int i) { return i < 812 ? 2.0 : 2.54; },
          .sample =
              [](auto& table, std::size_t row, double ms) {
                table.gpu_mhz.set(row, ms < kFallMs ? 1410 : 1110);
                table.gpu_throttle_bits.set(row, ms < kFallMs ? 0 : 4);
              }};
}

TEST(MachineState, PutsAFallingClockBesideItsStep) {
  const MachineState state = state_of(falling_clock());
  EXPECT_EQ(state.window, MachineWindow::kInferences);
  EXPECT_THAT(causes_of(state), ElementsAre("step gpu-clock 14100 11100 power-cap"));
  EXPECT_EQ(state.causes[0].at, 812);
  ASSERT_EQ(state.figures.size(), 1u);
  EXPECT_EQ(state.figures[0].id, "gpu-clock");
  EXPECT_EQ(state.figures[0].before, 1410);
  EXPECT_EQ(state.figures[0].min, 1110);
  EXPECT_EQ(state.figures[0].after, 1110);
  // Those from 1700 to 4600 ms.
  ASSERT_EQ(state.throttled.size(), 1u);
  EXPECT_DOUBLE_EQ(state.throttled[0].share, 30.0 / 47);
  EXPECT_EQ(state.window_count, 47);
  EXPECT_EQ(state.series.gpu_mhz.size(), 47u);
  EXPECT_NEAR(state.series.start_ms[1], 100, 1e-6);
  const model::MachineJudgement judgement = machine_judgement(state);
  EXPECT_EQ(judgement.throttled_by, ThrottleReason::kPowerCap);
}

// A clock that falls when the times also fall explains nothing, and neither does one that falls
// later.
TEST(MachineState, WhatDoesNotFitIsNoCause) {
  Recorded run = falling_clock();
  run.latency_ms = [](int i) { return i < 812 ? 2.54 : 2.0; };
  EXPECT_THAT(causes_of(state_of(run)), IsEmpty());
  run = falling_clock();
  run.latency_ms = [](int i) { return i < 1500 ? 2.0 : 2.54; };
  EXPECT_THAT(causes_of(state_of(run)), IsEmpty());
}

TEST(MachineState, SaysWhichLoadCame) {
  Recorded run = falling_clock();
  run.sample = [](auto& table, std::size_t row, double ms) {
    // One processor for the engine; from the step on, two for others.
    const double other = std::max(0.0, ms - kFallMs) * 2;
    table.cpu_own_ms.set(row, std::llround(ms + 1000));
    table.cpu_busy_ms.set(row, std::llround(ms + 1000 + other));
    table.cpu_stolen_ms.set(row, 0);
    table.cpu_throttle_count.set(row, ms < 100 ? 3 : 5);
  };
  const MachineState state = state_of(run);
  EXPECT_THAT(causes_of(state), ElementsAre("step other-load 0 20"));
  EXPECT_NEAR(*state.own_processors, 1, 0.01);
  EXPECT_NEAR(*state.other_processors, 1.3, 0.02);
  EXPECT_EQ(state.stolen_processors, 0);
  EXPECT_EQ(state.cpu_throttle_count, 2);
  const model::MachineJudgement judgement = machine_judgement(state);
  EXPECT_TRUE(judgement.other_processors);
  EXPECT_FALSE(judgement.stolen_processors);
  EXPECT_EQ(judgement.cpu_throttle_count, 2);
}

TEST(MachineState, AQuietMachineIsNoDoubt) {
  Recorded run;
  run.sample = [](auto& table, std::size_t row, double) {
    table.gpu_mhz.set(row, 1410);
    table.gpu_throttle_bits.set(row, 2);  // Application clocks: a setting.
  };
  const MachineState state = state_of(run);
  EXPECT_THAT(state.causes, IsEmpty());
  EXPECT_THAT(state.throttled, IsEmpty());
  const model::MachineJudgement judgement = machine_judgement(state);
  EXPECT_FALSE(judgement.throttled_by || judgement.cpu_throttle_count ||
               judgement.other_processors || judgement.stolen_processors);
}

// Without a common clock, the moment of a step is not known, and throttling during the build does
// not discredit the times.
TEST(MachineState, WithoutACommonClock) {
  Recorded run = falling_clock();
  run.tells_origin = false;
  const MachineState state = state_of(run);
  EXPECT_EQ(state.window, MachineWindow::kRun);
  EXPECT_THAT(state.causes, IsEmpty());
  EXPECT_FALSE(machine_judgement(state).throttled_by);
}

TEST(MachineState, OfAnotherRun) {
  Recorded run = falling_clock();
  run.origin_ns = 3'600'000'000'000;
  const model::PlanModel model = model_of_run(run);
  EXPECT_FALSE(find_machine_state(model, find_steady_state(model)));
  EXPECT_THAT(test::diagnostic_codes(model), testing::Contains("machine-of-other-run"));
}

TEST(MachineState, NothingRecorded) {
  const model::PlanModel model = model::ModelBuilder().finish();
  EXPECT_FALSE(find_machine_state(model, {}));
}

}  // namespace
}  // namespace planex::analyze
