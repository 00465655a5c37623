// Sweeps with a known truth: cells of synthetic runs.
#include "analyze/sweep.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "analyze/verdict/verdict_test_series.h"

namespace planex::analyze {
namespace {

using Runs = std::vector<std::vector<SweepRun>>;

SweepRun run_of(double level_ms, std::uint64_t seed, std::int64_t batch = 1) {
  Machine machine{.noise_ratio = 0.005, .run_spread_ratio = 0.003};
  machine.level_ms = level_ms;
  SweepRun run{.engine = "run",
               .measured = measured(run_on(machine, seed)),
               .throughput_per_s = 1000 / level_ms,
               .layers = {},
               .figures = {}};
  run.figures.batch_size = batch;
  run.figures.macs = 1000 * batch;
  run.figures.traffic_bytes = 400 * batch;
  return run;
}

// One axis, one of `levels_ms` per cell.
Sweep line_of(const std::string& axis, const std::vector<std::string>& values) {
  Sweep sweep;
  sweep.axes = {{.name = axis, .values = values, .is_ordered = is_ordered_axis(values)}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    SweepCell& cell = sweep.cells.emplace_back();
    cell.id = values[i];
    cell.at = {i};
    cell.values = {values[i]};
  }
  return sweep;
}

Runs runs_of(const std::vector<double>& levels_ms, const std::vector<std::int64_t>& batches,
             int repeats = 3, std::uint64_t seed = 1) {
  Runs runs;
  for (std::size_t i = 0; i < levels_ms.size(); ++i) {
    auto& of_cell = runs.emplace_back();
    for (int r = 0; r < repeats; ++r) {
      of_cell.push_back(
          run_of(levels_ms[i], seed * 1000 + 10 * i + static_cast<std::size_t>(r), batches[i]));
    }
  }
  return runs;
}

TEST(Sweep, ValuesOfAxes) {
  EXPECT_EQ(axis_number("8"), 8);
  EXPECT_EQ(axis_number("0.5"), 0.5);
  EXPECT_EQ(axis_number("1x3x4"), 12);
  for (const char* word : {"", "x", "bf16", "1x", "8 "}) EXPECT_FALSE(axis_number(word)) << word;
  const std::vector<std::string> numbers = {"4", "2"}, words = {"4", "f16"}, single = {"4"};
  EXPECT_TRUE(is_ordered_axis(numbers));
  EXPECT_FALSE(is_ordered_axis(words));
  EXPECT_FALSE(is_ordered_axis(single));
}

TEST(Sweep, LatencyIsTheGeometricMeanOfItsRuns) {
  Sweep sweep = line_of("batch", {"1", "2"});
  const Runs runs = runs_of({1, 2}, {1, 2});
  fill_sweep(sweep, runs);
  double log = 0;
  for (const SweepRun& run : runs[0]) log += std::log(*run.measured.median_ms);
  EXPECT_DOUBLE_EQ(*sweep.cells[0].latency_ms, std::exp(log / 3));
  EXPECT_EQ(sweep.cells[0].run_count, 3);
  EXPECT_EQ(sweep.done_count, 2);
  EXPECT_EQ(sweep.spread_freedom, 4);
  EXPECT_LT(*sweep.cells[0].latency_low_ms, *sweep.cells[0].latency_ms);
  EXPECT_GT(*sweep.cells[0].latency_high_ms, *sweep.cells[0].latency_ms);
  // Items of the batch.
  EXPECT_NEAR(*sweep.cells[1].items_per_s, 1000, 1);
  EXPECT_NEAR(*sweep.cells[1].item_ms, 1, 1e-3);
}

// In 95 of 100 sweeps, the interval of a cell contains the truth.
TEST(Sweep, IntervalsHaveTheTruthInThem) {
  int inside = 0, count = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Sweep sweep = line_of("batch", {"1", "2", "4", "8"});
    fill_sweep(sweep, runs_of({1, 2, 4, 8}, {1, 2, 4, 8}, 3, seed));
    for (const SweepCell& cell : sweep.cells) {
      const double truth = static_cast<double>(*cell.batch_size);
      inside += static_cast<int>(*cell.latency_low_ms <= truth && truth <= *cell.latency_high_ms);
      ++count;
    }
  }
  EXPECT_GE(inside, count * 9 / 10);
}

TEST(Sweep, WorkThatGrowsIsNoCliff) {
  int cliffs = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Sweep sweep = line_of("batch", {"1", "2", "4", "8"});
    fill_sweep(sweep, runs_of({1, 1.9, 3.8, 7.6}, {1, 2, 4, 8}, 3, seed));
    EXPECT_EQ(sweep.step_count, 3);
    cliffs += static_cast<int>(sweep.cliffs.size());
  }
  EXPECT_EQ(cliffs, 0);
}

TEST(Sweep, AStepBeyondItsWorkIsACliff) {
  // Values in any order.
  Sweep sweep = line_of("batch", {"8", "1", "4"});
  fill_sweep(sweep, runs_of({12, 1, 4}, {8, 1, 4}));
  ASSERT_EQ(sweep.cliffs.size(), 1U);
  const SweepCliff& cliff = sweep.cliffs.front();
  EXPECT_EQ(cliff.a, 2U);
  EXPECT_EQ(cliff.b, 0U);
  EXPECT_EQ(cliff.basis, WorkBasis::kMacs);
  EXPECT_DOUBLE_EQ(cliff.work_ratio, 2);
  EXPECT_NEAR(cliff.time_ratio, 3, 0.05);
  EXPECT_NEAR(cliff.excess_ms, 4, 0.2);
  EXPECT_LT(cliff.low_ratio, cliff.time_ratio);
}

TEST(Sweep, WhatGrowsMostExplains) {
  Sweep sweep = line_of("batch", {"1", "2"});
  Runs runs = runs_of({1, 3}, {1, 2});
  for (SweepRun& run : runs[1]) run.figures.traffic_bytes = 400 * 3;
  fill_sweep(sweep, runs);
  EXPECT_TRUE(sweep.cliffs.empty());
  EXPECT_EQ(sweep.step_count, 1);
}

TEST(Sweep, UnknownWorkIsNotJudged) {
  Sweep shapes = line_of("shape:x", {"1x4", "1x8"});
  Runs runs = runs_of({1, 9}, {1, 1});
  for (auto& of_cell : runs) {
    for (SweepRun& run : of_cell) run.figures.macs.reset();
  }
  fill_sweep(shapes, runs);
  EXPECT_EQ(shapes.step_count, 0);
  EXPECT_TRUE(shapes.cliffs.empty());
  // The items show the batch.
  Sweep batch = line_of("batch", {"1", "2"});
  Runs batches = runs_of({1, 9}, {1, 2});
  for (auto& of_cell : batches) {
    for (SweepRun& run : of_cell) run.figures.macs.reset();
  }
  fill_sweep(batch, batches);
  ASSERT_EQ(batch.cliffs.size(), 1U);
  EXPECT_EQ(batch.cliffs.front().basis, WorkBasis::kItems);
}

TEST(Sweep, MoreThreadsThatTakeLonger) {
  Sweep sweep = line_of("threads", {"1", "2", "4"});
  fill_sweep(sweep, runs_of({4, 2, 3}, {1, 1, 1}));
  ASSERT_EQ(sweep.cliffs.size(), 1U);
  EXPECT_EQ(sweep.cliffs.front().b, 2U);
  EXPECT_EQ(sweep.cliffs.front().basis, WorkBasis::kNone);
  EXPECT_DOUBLE_EQ(sweep.cliffs.front().work_ratio, 1);
}

TEST(Sweep, WordsHaveNoSteps) {
  Sweep sweep = line_of("precision", {"f32", "bf16"});
  fill_sweep(sweep, runs_of({1, 9}, {1, 1}));
  EXPECT_EQ(sweep.step_count, 0);
}

// Three times as long side by side, but for three of them: nothing is lost.
TEST(Sweep, InferencesSideBySideCountByTheirItems) {
  Sweep sweep = line_of("streams", {"1", "3"});
  Runs runs = runs_of({1, 3}, {1, 1});
  for (SweepRun& run : runs[1]) {
    run.measured.concurrent = 3;
    run.throughput_per_s = 1000;
  }
  fill_sweep(sweep, runs);
  EXPECT_EQ(sweep.step_count, 1);
  EXPECT_TRUE(sweep.cliffs.empty());
  for (SweepRun& run : runs[1]) run.throughput_per_s = 400;
  Sweep slow = line_of("streams", {"1", "3"});
  fill_sweep(slow, runs);
  ASSERT_EQ(slow.cliffs.size(), 1U);
  EXPECT_NEAR(slow.cliffs.front().time_ratio, 2.5, 0.05);
}

// As many concurrent inferences as the axis says.
Runs at_once(const std::vector<std::int64_t>& counts, const std::vector<double>& latencies,
             const std::vector<double>& rates) {
  Runs runs = runs_of(latencies, std::vector<std::int64_t>(latencies.size(), 1));
  for (std::size_t cell = 0; cell < runs.size(); ++cell) {
    for (SweepRun& run : runs[cell]) {
      run.measured.concurrent = counts[cell];
      run.throughput_per_s = rates[cell];
    }
  }
  return runs;
}

// From 2 on, throughput does not grow by more than 5 %; latency does.
TEST(Sweep, MoreStreamsMayOnlyAddLatency) {
  Sweep sweep = line_of("streams", {"1", "2", "4", "8"});
  fill_sweep(sweep, at_once({1, 2, 4, 8}, {1, 1.2, 2.4, 5}, {1000, 1666, 1680, 1600}));
  ASSERT_EQ(sweep.scaling.size(), 1U);
  const SweepScaling& scaling = sweep.scaling.front();
  ASSERT_EQ(scaling.points.size(), 4U);
  EXPECT_EQ(scaling.enough, 1U);
  EXPECT_NEAR(scaling.points[1].throughput_ratio, 1.666, 1e-9);
  EXPECT_NEAR(scaling.points[3].latency_ratio, 5, 0.2);
}

TEST(Sweep, StreamsThatStillBringThroughput) {
  Sweep sweep = line_of("streams", {"4", "1", "2"});
  fill_sweep(sweep, at_once({4, 1, 2}, {1.2, 1, 1.1}, {3600, 1000, 1900}));
  ASSERT_EQ(sweep.scaling.size(), 1U);
  EXPECT_FALSE(sweep.scaling.front().enough);
  // By the axis, however it was written.
  EXPECT_EQ(sweep.scaling.front().points.front().cell, 1U);
}

TEST(Sweep, OtherAxesSayNothingOfStreams) {
  Sweep sweep = line_of("batch", {"1", "2", "4"});
  Runs runs = at_once({4, 4, 4}, {1, 2, 4}, {1000, 1000, 1000});
  // Nothing is known about a cell that was not run.
  runs[2].clear();
  fill_sweep(sweep, runs);
  EXPECT_TRUE(sweep.scaling.empty());
  Sweep alone = line_of("streams", {"1", "2"});
  runs.resize(2);
  runs[1].clear();
  fill_sweep(alone, runs);
  EXPECT_TRUE(alone.scaling.empty());
}

TEST(Sweep, Fronts) {
  Sweep sweep = line_of("option", {"a", "b", "c", "d"});
  Runs runs = runs_of({1, 2, 3, 2.5}, {1, 4, 4, 8}, 1);
  const std::vector<std::int64_t> memory = {40, 20, 10, 30};
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i][0].figures.memory_bytes = memory[i];
  fill_sweep(sweep, runs);
  EXPECT_EQ(sweep.throughput_front, (std::vector<std::size_t>{0, 1, 3}));
  EXPECT_EQ(sweep.memory_front, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_TRUE(sweep.cells[3].is_on_throughput_front);
  EXPECT_FALSE(sweep.cells[3].is_on_memory_front);
}

TEST(Sweep, FailedAndPendingCells) {
  Sweep sweep = line_of("batch", {"1", "2", "4"});
  Runs runs = runs_of({1, 2, 4}, {1, 2, 4});
  runs[1].clear();
  runs[2].clear();
  sweep.cells[1].state = CellState::kFailed;
  sweep.cells[1].error = Error{.message = "no memory"};
  fill_sweep(sweep, runs);
  EXPECT_EQ(sweep.done_count, 1);
  EXPECT_EQ(sweep.failed_count, 1);
  EXPECT_EQ(sweep.pending_count, 1);
  EXPECT_FALSE(sweep.cells[1].latency_ms);
  EXPECT_EQ(sweep.cells[1].error->message, "no memory");
  EXPECT_EQ(sweep.throughput_front.size(), 1U);
}

TEST(Sweep, LotteryCountsLayersWhoseKernelChanges) {
  Sweep sweep = line_of("option", {"a", "b"});
  Runs runs = runs_of({1, 1}, {1, 1}, 3);
  for (auto& of_cell : runs) {
    for (SweepRun& run : of_cell) {
      run.layers = {{"conv", "fast", 0.2}, {"fc", "gemm", 0.1}, {"conv", "other", 0.3}};
    }
  }
  runs[0][2].layers[0] = {"conv", "slow", 0.5};
  fill_sweep(sweep, runs);
  EXPECT_EQ(sweep.lottery_cells, 2);
  ASSERT_EQ(sweep.lottery.size(), 1U);
  const SweepLottery& lottery = sweep.lottery.front();
  EXPECT_EQ(lottery.cell, 0U);
  EXPECT_EQ(lottery.layer_count, 3);
  ASSERT_EQ(lottery.layers.size(), 1U);
  ASSERT_EQ(lottery.layers[0].tactics.size(), 2U);
  EXPECT_EQ(lottery.layers[0].tactics[0].tactic, "fast");
  EXPECT_EQ(lottery.layers[0].tactics[0].run_count, 2);
  // (0.2 + 0.2 + 0.5) ÷ 3 − 0.2
  EXPECT_NEAR(*lottery.cost_ms, 0.1, 1e-12);
  // Without its time, no claim is made.
  runs[0][2].layers[0].time_ms.reset();
  Sweep unknown = line_of("option", {"a", "b"});
  fill_sweep(unknown, runs);
  EXPECT_FALSE(unknown.lottery.front().cost_ms);
}

}  // namespace
}  // namespace planex::analyze
