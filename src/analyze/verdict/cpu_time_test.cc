// Verdicts on machines where other programs used the processor.
#include "analyze/verdict/cpu_time.h"

#include <gtest/gtest.h>

#include "analyze/verdict/verdict_test_series.h"

namespace planex::analyze {
namespace {

MeasuredRun steady_run(double level_ms, std::uint64_t seed = 1) {
  return measured(run_on({.level_ms = level_ms, .run_spread_ratio = 0}, seed));
}

// A busy machine doubled the time of one inference in some runs and not in others: measured with
// one thread of OpenVINO beside two other programs on two processors, whose medians were 24.7 ms
// without them, and 36.5 to 49.0 ms with them; CPU time was 24.7 to 25.4 ms.
MeasuredRun busy_run(double wall_ms, double cpu_ms, std::int64_t thread_count = 1) {
  MeasuredRun run = steady_run(wall_ms);
  run.cpu_time = CpuTime{.per_inference_ms = cpu_ms, .thread_count = thread_count};
  run.was_machine_busy = true;
  run.assumed_spread_ratio = kAssumedBusySpreadRatio;
  return run;
}

MeasuredRun quiet_run(double wall_ms, double cpu_ms, std::int64_t thread_count = 1) {
  MeasuredRun run = busy_run(wall_ms, cpu_ms, thread_count);
  run.was_machine_busy = false;
  run.assumed_spread_ratio = kAssumedProcessorSpreadRatio;
  return run;
}

Verdict judge_one(const MeasuredRun& base, const MeasuredRun& candidate,
                  const GateOptions& options = {.fail_above_ratio = 0.15}) {
  return judge(std::span(&base, 1), std::span(&candidate, 1), options);
}

TEST(CpuTimeVerdict, AnUnchangedEngineOnABusyMachineIsNotSlower) {
  const Verdict verdict = judge_one(quiet_run(24.7, 24.9), busy_run(49.0, 25.4));
  EXPECT_EQ(verdict.field, "cpu_time");
  EXPECT_EQ(verdict.judgement, Judgement::kWithinNoise);
  EXPECT_EQ(verdict.gate, GateResult::kPassed);
  EXPECT_NEAR(*verdict.change_ratio, 25.4 / 24.9 - 1, 1e-9);
  EXPECT_NEAR(*verdict.cpu_change_ratio, *verdict.change_ratio, 1e-9);
}

TEST(CpuTimeVerdict, ASlowerEngineOnABusyMachineIsFound) {
  const Verdict verdict = judge_one(busy_run(37, 24.9), busy_run(49, 24.9 * 1.3));
  EXPECT_EQ(verdict.judgement, Judgement::kSlower);
  EXPECT_EQ(verdict.gate, GateResult::kFailed);
}

TEST(CpuTimeVerdict, AQuietMachineGoesByTheClockOnTheWall) {
  const Verdict verdict = judge_one(quiet_run(24.7, 24.9), quiet_run(49.0, 25.4));
  EXPECT_NE(verdict.field, "cpu_time");
  EXPECT_EQ(verdict.judgement, Judgement::kSlower);
  EXPECT_NEAR(*verdict.cpu_change_ratio, 25.4 / 24.9 - 1, 1e-9);
}

TEST(CpuTimeVerdict, RunsOfAnotherNumberOfThreadsHaveNoCpuTimeInCommon) {
  const Verdict verdict = judge_one(busy_run(24.7, 24.9), busy_run(14.0, 26.0, 2));
  EXPECT_NE(verdict.field, "cpu_time");
  EXPECT_FALSE(verdict.cpu_change_ratio);
}

// Threads spin while they wait for each other, so CPU time does not decide; it raises a doubt.
TEST(CpuTimeVerdict, ThreadsThatWaitAreNotCalledSlower) {
  const Verdict verdict = judge_one(quiet_run(13.1, 26.1, 2), busy_run(45.3, 28.6, 2));
  EXPECT_EQ(verdict.judgement, Judgement::kUnclear);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kBusyMachine);
  EXPECT_NE(verdict.gate, GateResult::kFailed);
}

TEST(NeededRuns, AreThoseWithWhichTheChangeWouldBeJudged) {
  const std::vector base = {steady_run(10)}, candidate = {steady_run(10.49, 2)};
  const Verdict one = judge(base, candidate);
  ASSERT_EQ(one.unclear_reason, UnclearReason::kSingleRun);
  ASSERT_TRUE(one.needed_run_count);
  // This many runs are enough if they differ by the assumed spread, and one less is not.
  const auto count = static_cast<std::size_t>(*one.needed_run_count);
  EXPECT_GT(count, 1U);
  EXPECT_LT(count, 8U);
  EXPECT_FALSE(judge(base, std::vector{steady_run(15)}).needed_run_count);
}

}  // namespace
}  // namespace planex::analyze
