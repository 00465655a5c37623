// How often the gate is wrong and how often it is right. bench/gate_rates.cc prints the whole
// table.
#include <gtest/gtest.h>

#include <array>
#include <span>
#include <vector>

#include "analyze/verdict/verdict.h"
#include "analyze/verdict/verdict_test_series.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

struct Rates {
  int failed = 0, judged = 0;  // slower or faster
};

// Runs per side: a pair with few runs uses the first ones of a pair with many.
constexpr std::array<std::size_t, 3> kRuns = {1, 2, 3};
using RatesOfRuns = std::array<Rates, kRuns.size()>;

// Per true slow-down.
std::vector<RatesOfRuns> rates_of(const Machine& machine, std::initializer_list<double> truths,
                                  int pairs) {
  std::vector<RatesOfRuns> result(truths.size());
  const auto make = [&](double factor, std::uint64_t seed) {
    Machine engine = machine;
    engine.level_ms *= factor;
    return run_on(engine, seed);
  };
  for (int i = 0; i < pairs; ++i) {
    const auto pair = static_cast<std::uint64_t>(i) + 1;
    const auto base = runs_of_pair(make, pair, PairSide::kBase, kRuns.back());
    for (std::size_t at = 0; at < truths.size(); ++at) {
      const auto candidate =
          runs_of_pair(make, pair, PairSide::kCandidate, kRuns.back(), 1 + std::data(truths)[at]);
      for (std::size_t k = 0; k < kRuns.size(); ++k) {
        const Verdict verdict = judge(std::span(base).first(kRuns.at(k)),
                                      std::span(candidate).first(kRuns.at(k)), kGate);
        Rates& rates = result[at].at(k);
        if (verdict.gate == GateResult::kFailed) ++rates.failed;
        const bool is_judged =
            verdict.judgement == Judgement::kSlower || verdict.judgement == Judgement::kFaster;
        if (is_judged) ++rates.judged;
      }
    }
  }
  return result;
}

// At a true rate of 5 %, more than 3 of 10 pairs are seen in one of 1 000.
TEST(VerdictRates, OfEveryKindAreWithinTheirLimits) {
  constexpr int kPairs = 10;
  RatesOfRuns all_same, all_slower;
  for (const MachineKind& kind : kMachineKinds) {
    const auto rates = rates_of(kind.machine, {0, 0.05}, kPairs);
    const RatesOfRuns &same = rates[0], &slower = rates[1];
    for (std::size_t k = 0; k < kRuns.size(); ++k) {
      EXPECT_LE(same.at(k).failed, 2) << kind.name << ", runs: " << kRuns.at(k);
      EXPECT_LE(same.at(k).judged, 3) << kind.name << ", runs: " << kRuns.at(k);
      all_same.at(k).failed += same.at(k).failed;
      all_same.at(k).judged += same.at(k).judged;
      all_slower.at(k).failed += slower.at(k).failed;
      // More runs never find less, except by chance among so few pairs.
      if (k == 0) continue;
      EXPECT_GE(slower.at(k).failed + 1, slower.at(k - 1).failed) << kind.name;
    }
    EXPECT_GE(slower.back().failed, slower.front().failed) << kind.name;
  }
  const int pairs = kPairs * static_cast<int>(std::size(kMachineKinds));
  for (const Rates& rates : all_same) {
    EXPECT_LE(rates.failed, pairs / 100);
    EXPECT_LE(rates.judged, pairs / 20);
  }
  EXPECT_GT(all_slower[1].failed, all_slower[0].failed);
  EXPECT_GT(all_slower[2].failed, all_slower[1].failed);
}

// The base's runs alone show how runs differ; a build in CI then needs one.
TEST(VerdictRates, OneRunAgainstThreeOfTheBaseFindsFivePercent) {
  int failed = 0, wrong = 0;
  const auto make = [](double factor, std::uint64_t seed) {
    return run_on({.count = 100, .level_ms = factor}, seed);
  };
  for (std::uint64_t pair = 1; pair <= 30; ++pair) {
    const auto base = runs_of_pair(make, pair, PairSide::kBase, 3);
    const auto same = runs_of_pair(make, pair, PairSide::kCandidate, 1);
    const auto slower = runs_of_pair(make, pair, PairSide::kCandidate, 1, 1.05);
    if (judge(base, same, kGate).fails) ++wrong;
    if (judge(base, slower, kGate).fails) ++failed;
  }
  EXPECT_GE(failed, 25);
  EXPECT_EQ(wrong, 0);
}

// Where the truth equals the threshold, chance alone can fail it: in 2.5 %.
TEST(VerdictRates, TheThresholdItselfDoesNotFail) {
  const auto rates = rates_of({.count = 100}, {0.03}, 60);
  for (const Rates& of_runs : rates.front()) EXPECT_LE(of_runs.failed, 4);
}

// Ten percent with one run per side, five with two.
TEST(VerdictRates, TheGateFindsSlowDowns) {
  for (const Machine& machine : {Machine{.count = 300}, Machine{.count = 300, .memory = 0.5},
                                 Machine{.count = 300, .spike_share = 0.05},
                                 Machine{.count = 300, .odd_chance = 0.5, .warm_up_ratio = 0.3}}) {
    const auto rates = rates_of(machine, {0.05, 0.1}, 20);
    const RatesOfRuns &five = rates[0], &ten = rates[1];
    EXPECT_GE(ten[0].failed, 19);
    EXPECT_EQ(ten[1].failed, 20);
    EXPECT_GE(five[1].failed, 18);
    EXPECT_EQ(five[2].failed, 20);
  }
}

// --- Real series ---

// Engines whose clocks are stable; those of others alternate (verdict.h), and are not always
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

// Stretches of real runs, three per side, those of the candidate 5 % slower; and 10 % with one.
TEST(VerdictRates, SlowDownsAreFoundInRealNoise) {
  PLANEX_NEED_TEST_DATA(data);
  int pairs = 0, failed = 0, failed_of_one = 0;
  for (const char* engine : kSteadyEngines) {
    const std::vector<double> samples = real_samples(data, engine);
    const auto make = [&](double factor, std::uint64_t seed) {
      return stretch_of(samples, samples.size() / 3, factor, seed);
    };
    for (std::uint64_t i = 1; i <= 4; ++i) {
      const auto base = runs_of_pair(make, i, PairSide::kBase, 3);
      const auto same = runs_of_pair(make, i, PairSide::kCandidate, 3);
      const auto slower = runs_of_pair(make, i, PairSide::kCandidate, 3, 1.05);
      const auto slow = runs_of_pair(make, i, PairSide::kCandidate, 1, 1.1);
      EXPECT_FALSE(judge(base, same, kGate).fails) << engine;
      ++pairs;
      if (judge(base, slower, kGate).fails) ++failed;
      if (judge(std::span(base).first(1), slow, kGate).fails) ++failed_of_one;
    }
  }
  EXPECT_GE(failed, pairs * 9 / 10);
  EXPECT_GE(failed_of_one, pairs * 9 / 10);
}

}  // namespace
}  // namespace planex::analyze
