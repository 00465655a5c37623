// How often the gate is wrong and how often it is right. bench/gate_rates.cc has the whole table.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "analyze/verdict/verdict.h"
#include "analyze/verdict/verdict_test_series.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

constexpr GateOptions kGate = {.fail_above_ratio = 0.03};

struct Rates {
  int pairs = 0, failed = 0, slower = 0, faster = 0;
  double of_pairs(int count) const { return static_cast<double>(count) / pairs; }
};

Rates rates_of(const Machine& machine, double truth, int pairs, int runs = 1) {
  Rates rates;
  Machine slower = machine;
  slower.level_ms *= 1 + truth;
  std::uint64_t seed = 1;
  for (int pair = 0; pair < pairs; ++pair) {
    std::vector<MeasuredRun> base, candidate;
    for (int run = 0; run < runs; ++run) {
      base.push_back(measured(run_on(machine, seed++)));
      candidate.push_back(measured(run_on(slower, seed++)));
    }
    const Verdict verdict = judge(base, candidate, kGate);
    ++rates.pairs;
    if (verdict.gate == GateResult::kFailed) ++rates.failed;
    if (verdict.judgement == Judgement::kSlower) ++rates.slower;
    if (verdict.judgement == Judgement::kFaster) ++rates.faster;
  }
  return rates;
}

// Kinds of machines that one run a side has to cope with.
const Machine kMachines[] = {
    {.count = 100},
    {.count = 100, .noise_ratio = 0.05},
    {.count = 200, .memory = 0.8},
    {.count = 15},
    {.count = 30},
    {.count = 100, .noise_ratio = 0.008, .step_ms = 0.01},
    {.count = 200, .noise_ratio = 0.02, .step_ms = 0.05},
    {.count = 100, .spike_share = 0.05},
    {.count = 200, .odd_chance = 0.5, .drift_ratio = 0.06},
    {.count = 200, .odd_chance = 0.5, .warm_up_ratio = 0.5},
    {.count = 200, .odd_chance = 0.5, .clock_ratio = 0.06},
    {.count = 200, .noise_ratio = 0.005, .mode_ratio = 0.06},
    {.count = 200, .noise_ratio = 0.005, .mode_ratio = 0.06, .mode_change = 1, .slow_share = 0.5},
    {.count = 100, .run_spread_ratio = 0.01},
};

// Of a true rate of 5 %, more than 4 of 20 pairs are seen in one of 400.
TEST(VerdictRates, NeitherGateNorVerdictCriesWolf) {
  Rates all;
  for (const Machine& machine : kMachines) {
    for (const int runs : {1, 3}) {
      const Rates rates = rates_of(machine, 0, runs == 1 ? 20 : 12, runs);
      EXPECT_LE(rates.failed, 2) << &machine - kMachines << ", runs: " << runs;
      EXPECT_LE(rates.slower + rates.faster, 4) << &machine - kMachines << ", runs: " << runs;
      all.pairs += rates.pairs;
      all.failed += rates.failed;
      all.slower += rates.slower + rates.faster;
    }
  }
  EXPECT_LE(all.of_pairs(all.failed), 0.01);
  EXPECT_LE(all.of_pairs(all.slower), 0.05);
}

// More than one run can cope with.
TEST(VerdictRates, ThreeRunsDoNotCryWolfHoweverMuchTheyDiffer) {
  for (const double spread : {0.015, 0.03}) {
    const Rates rates = rates_of({.count = 100, .run_spread_ratio = spread}, 0, 30, 3);
    EXPECT_LE(rates.failed, 2) << spread;
    EXPECT_LE(rates.slower + rates.faster, 5) << spread;
  }
}

TEST(VerdictRates, MoreRunsNeverFindLess) {
  for (const Machine& machine : kMachines) {
    const Rates one = rates_of(machine, 0.05, 12), three = rates_of(machine, 0.05, 12, 3);
    // What chance does to so few pairs.
    EXPECT_GE(three.failed + 2, one.failed) << &machine - kMachines;
  }
}

// Where the truth is the threshold itself, chance alone may say no: in 2.5 %.
TEST(VerdictRates, TheThresholdItselfDoesNotFail) {
  const Rates rates = rates_of({.count = 100}, 0.03, 200);
  EXPECT_LE(rates.failed, 10);
}

TEST(VerdictRates, TheGateFindsFivePercent) {
  for (const Machine& machine : {Machine{.count = 300}, Machine{.count = 300, .memory = 0.5},
                                 Machine{.count = 300, .spike_share = 0.05},
                                 Machine{.count = 300, .odd_chance = 0.5, .warm_up_ratio = 0.3}}) {
    const Rates rates = rates_of(machine, 0.05, 50);
    EXPECT_GE(rates.failed, 45);
    EXPECT_GE(rates.slower, 48);
  }
}

// --- Real series ---

// Engines whose clocks hold still; those of others alternate (verdict.h), and are not always
// decided.
constexpr std::array kSteadyEngines = {
    "mobilenet-titanrtx-qat",          "mobilenet-titanrtx-qat-trt8.2", "resnet18-a100-qat",
    "resnet18-a100-qat-residual-qgap", "resnet18-a100-qat-residual",    "resnet50-rtx3090-fp32",
};
constexpr std::array kTimedEngines = {
    "mobilenet-titanrtx-qat",
    "mobilenet-titanrtx-qat-residual",
    "mobilenet-titanrtx-qat-trt8.2",
    "resnet18-a100-fp16",
    "resnet18-a100-fp32",
    "resnet18-a100-qat",
    "resnet18-a100-qat-residual",
    "resnet18-a100-qat-residual-qgap",
    "resnet18-trt10-fp16",
    "resnet50-rtx3090-fp16",
    "resnet50-rtx3090-fp32",
    "resnet50-rtx3090-qat",
};

std::vector<double> real_samples(const std::string& data, const char* engine) {
  return timing_series(test::must(test::load_engine(data, engine)).iterations).value().ms;
}

// A run against itself, cut in two: halves, and every other sample.
TEST(VerdictRates, NoRealRunDiffersFromItself) {
  PLANEX_NEED_TEST_DATA(data);
  for (const char* engine : kTimedEngines) {
    const std::vector<double> samples = real_samples(data, engine);
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::vector<double> even, odd;
    for (std::size_t i = 0; i < samples.size(); ++i)
      (i % 2 == 0 ? even : odd).push_back(samples[i]);
    const std::array halves = {measured({samples.begin(), middle}),
                               measured({middle, samples.end()})};
    const std::array combs = {measured(even), measured(odd)};
    for (const auto& pair : {halves, combs}) {
      const Verdict verdict = judge(std::span(pair).first(1), std::span(pair).last(1), kGate);
      EXPECT_TRUE(verdict.judgement == Judgement::kWithinNoise ||
                  verdict.judgement == Judgement::kUnclear)
          << engine << " " << *verdict.change_ratio;
      EXPECT_FALSE(verdict.fails) << engine;
    }
  }
}

// Stretches of real runs, one of them 5 % slower.
TEST(VerdictRates, FivePercentIsFoundInRealNoise) {
  PLANEX_NEED_TEST_DATA(data);
  int pairs = 0, failed = 0;
  for (const char* engine : kSteadyEngines) {
    const std::vector<double> samples = real_samples(data, engine);
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const std::size_t count = samples.size() / 3;
      const std::array base = {measured(stretch_of(samples, count, 1, 2 * seed))};
      const std::array same = {measured(stretch_of(samples, count, 1, 2 * seed + 1))};
      const std::array slower = {measured(stretch_of(samples, count, 1.05, 2 * seed + 1))};
      EXPECT_FALSE(judge(base, same, kGate).fails) << engine;
      EXPECT_EQ(judge(base, slower, kGate).judgement, Judgement::kSlower) << engine;
      ++pairs;
      if (judge(base, slower, kGate).fails) ++failed;
    }
  }
  EXPECT_GE(failed, pairs * 9 / 10);
}

}  // namespace
}  // namespace planex::analyze
