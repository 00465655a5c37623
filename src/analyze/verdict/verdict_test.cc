// Verdicts whose intervals can be computed by hand, and series with a known truth.
#include "analyze/verdict/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "analyze/timing/level_shifts.h"
#include "analyze/verdict/median_interval.h"
#include "analyze/verdict/verdict_test_series.h"
#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

std::vector<MeasuredRun> constant_runs(std::initializer_list<double> levels_ms) {
  std::vector<MeasuredRun> runs;
  for (const double ms : levels_ms) runs.push_back(measured(std::vector<double>(100, ms)));
  return runs;
}

MeasuredRun noisy(double level_ms, std::uint64_t seed, Machine machine = {}) {
  machine.level_ms = level_ms;
  machine.run_spread_ratio = 0;
  return measured(run_on(machine, seed));
}

std::vector<MeasuredRun> one(MeasuredRun run) {
  std::vector<MeasuredRun> runs;
  runs.push_back(std::move(run));
  return runs;
}

// --- The interval of one run's median ---

TEST(MedianInterval, OfEqualSamplesIsAPoint) {
  const MedianInterval interval = median_interval(std::vector<double>(50, 2.0), 0.95);
  EXPECT_EQ(interval.median, 2);
  EXPECT_EQ(interval.low, 2);
  EXPECT_EQ(interval.high, 2);
  EXPECT_FALSE(interval.step);
}

// With few samples, only their range is reported.
TEST(MedianInterval, OfFewSamplesIsTheirRange) {
  const MedianInterval interval = median_interval(std::vector<double>{3, 1, 2}, 0.95);
  EXPECT_EQ(interval.median, 2);
  EXPECT_EQ(interval.low, 1);
  EXPECT_EQ(interval.high, 3);
}

// Normal samples: 1.96 · 1.2533 · σ ÷ √n = 0.0777 for σ = 1 and n = 1000.
TEST(MedianInterval, OfWhiteNoiseIsThatOfTheory) {
  double width = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Noise noise(seed);
    std::vector<double> samples(1000);
    for (double& sample : samples) sample = 100 + noise.normal();
    const MedianInterval interval = median_interval(samples, 0.95);
    width += (interval.high - interval.low) / 20;
    EXPECT_GT(interval.effective_count, 500);
  }
  EXPECT_NEAR(width, 2 * 0.0777, 0.02);
}

// An autoregressive process with memory 0.9 has (1 + 0.9) ÷ (1 − 0.9) = 19 samples for one; of the
// signs, whose memory is ⅔ of arcsine of it, some 12.
TEST(MedianInterval, KnowsThatSamplesRemember) {
  double effective = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Machine machine{.count = 4000, .noise_ratio = 0.01, .memory = 0.9, .run_spread_ratio = 0};
    effective += median_interval(run_on(machine, seed), 0.95).effective_count / 20;
  }
  EXPECT_GT(effective, 200);
  EXPECT_LT(effective, 500);
}

std::vector<double> in_steps(double middle, double step, int one_in) {
  std::vector<double> samples;
  for (int i = 0; i < 300; ++i) {
    const int place = i % one_in;
    samples.push_back(place == 0 ? middle + step : place == 1 ? middle - step : middle);
  }
  return samples;
}

// The truth can be anywhere within a step of the timer.
TEST(MedianInterval, HasHalfAStepOnEitherSide) {
  const MedianInterval interval = median_interval(in_steps(10.01, 0.01, 10), 0.95);
  EXPECT_EQ(interval.median, 10.01);
  EXPECT_EQ(interval.located, 10.01);
  EXPECT_NEAR(*interval.step, 0.01, 1e-12);
  EXPECT_NEAR(interval.low, 10.005, 1e-9);
  EXPECT_NEAR(interval.high, 10.015, 1e-9);
}

// A fifth in other steps: samples spread by 0.34 of a step besides rounding, which hides
// exp(−2 π² · 0.1167) = 0.1 of half a step.
TEST(MedianInterval, LooksBetweenCoarseStepsThatSamplesSpreadOver) {
  const MedianInterval interval = median_interval(in_steps(1.01, 0.01, 10), 0.95);
  EXPECT_EQ(interval.median, 1.01);
  EXPECT_NEAR(interval.located, 1.01, 2e-4);
  EXPECT_GT(interval.low, 1.006);
  EXPECT_LT(interval.high, 1.014);
}

TEST(MedianInterval, CannotLookBetweenCoarseStepsWhereNearlyAllAreOne) {
  const MedianInterval interval = median_interval(in_steps(1.01, 0.01, 100), 0.95);
  EXPECT_LE(interval.low, 1.0051);
  EXPECT_GE(interval.high, 1.0149);
}

TEST(MedianInterval, IsPositive) {
  std::vector<double> samples(20, 1.0);
  for (std::size_t i = 0; i < 9; ++i) samples[2 * i] = 1e6;
  EXPECT_GT(median_interval(samples, 0.95).low, 0);
}

TEST(MedianInterval, DoesTheSameWorkForAMillionSamples) {
  std::vector<double> samples(1'000'000);
  Noise noise(3);
  for (double& sample : samples) sample = 1 + 0.01 * noise.uniform();
  const MedianInterval interval = median_interval(samples, 0.95);
  EXPECT_EQ(interval.block_length, (samples.size() + kMaxBlocksDrawn - 1) / kMaxBlocksDrawn);
  EXPECT_NEAR(interval.median, 1.005, 2e-5);
  EXPECT_LT(interval.high - interval.low, 1e-4);
}

// --- Judgements by hand ---

// Samples without noise leave the assumed spread of runs: Student's t for 4 degrees of freedom is
// 2.776445, times 0.0215 · √2 = 0.0844194 in logarithms. The gate takes 0.003: 0.0117795.
TEST(Verdict, OfOneRunASideHasTheAssumedSpread) {
  const Verdict verdict = judge(constant_runs({1.0}), constant_runs({1.1}), kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kSlower);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kNone);
  EXPECT_EQ(verdict.base.median_ms, 1.0);
  EXPECT_EQ(verdict.candidate.median_ms, 1.1);
  EXPECT_NEAR(*verdict.change_ratio, 0.1, 1e-12);
  EXPECT_NEAR(*verdict.low_ratio, 1.1 * std::exp(-0.0844194) - 1, 1e-7);
  EXPECT_NEAR(*verdict.high_ratio, 1.1 * std::exp(0.0844194) - 1, 1e-7);
  EXPECT_NEAR(*verdict.gate_low_ratio, 1.1 * std::exp(-0.0117795) - 1, 1e-7);
  EXPECT_NEAR(*verdict.gate_high_ratio, 1.1 * std::exp(0.0117795) - 1, 1e-7);
  EXPECT_FALSE(verdict.needed_sample_count);
  EXPECT_NEAR(*verdict.within_runs_low_ratio, 0.1, 1e-12);
  EXPECT_EQ(verdict.run_spread_ratio, 0.0215);
  EXPECT_FALSE(verdict.is_run_spread_measured);
  EXPECT_NEAR(*verdict.run_difference_ratio, std::expm1(0.0844194), 1e-7);
  // 0.0844194 + 1.2815516 · 0.0215 · √2 = 0.1233857; a failing candidate must also be slower.
  EXPECT_NEAR(*verdict.detectable_ratio, std::expm1(0.1233857), 1e-6);
  EXPECT_NEAR(*verdict.gate_detectable_ratio, std::expm1(0.1233857), 1e-6);
  EXPECT_EQ(verdict.gate, GateResult::kFailed);
  EXPECT_TRUE(verdict.fails);
}

// Beyond the uncertainty of the samples, but within the spread of runs.
TEST(Verdict, OfOneRunASideIsUnclearWhereRunsMayDifferByAsMuch) {
  const Verdict verdict = judge(constant_runs({1.0}), constant_runs({1.05}), kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kUnclear);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kSingleRun);
  EXPECT_EQ(verdict.gate, GateResult::kUndecided);
  EXPECT_EQ(judge(constant_runs({1.0}), constant_runs({1.01}), kGate).judgement,
            Judgement::kWithinNoise);
  // If the spread of runs is known, it can be given: 2.776445 · 0.003 · √2 = 0.0117795.
  const Verdict known = judge(constant_runs({1.0}), constant_runs({1.05}),
                              {.fail_above_ratio = 0.03, .assumed_run_spread_ratio = 0.003});
  EXPECT_EQ(known.judgement, Judgement::kSlower);
  EXPECT_NEAR(*known.low_ratio, 1.05 * std::exp(-0.0117795) - 1, 1e-7);
  EXPECT_EQ(known.gate, GateResult::kFailed);
}

// Several runs of the last good build, one of the new one: three runs show how runs differ.
TEST(Verdict, OfOneRunAgainstSeveralHasTheirSpread) {
  const auto base = constant_runs({0.997, 1.0, 1.003});
  const Verdict verdict = judge(base, constant_runs({1.05}), kGate);
  EXPECT_TRUE(verdict.is_run_spread_measured);
  EXPECT_EQ(verdict.judgement, Judgement::kSlower);
  EXPECT_EQ(verdict.gate, GateResult::kFailed);
}

TEST(Verdict, TakesRunsForRepeatableIfTold) {
  const Verdict verdict =
      judge(constant_runs({1.0}), constant_runs({1.0001}), {.assumed_run_spread_ratio = 0});
  EXPECT_EQ(verdict.judgement, Judgement::kSlower);
  EXPECT_NEAR(*verdict.low_ratio, 0.0001, 1e-12);
  EXPECT_NEAR(*verdict.high_ratio, 0.0001, 1e-12);
  EXPECT_EQ(verdict.gate, GateResult::kOff);
  EXPECT_FALSE(verdict.fails);
}

TEST(Verdict, HasAGateOfThreeResults) {
  const auto gate = [](double candidate_ms) {
    return judge(constant_runs({1.0}), constant_runs({candidate_ms}), kGate).gate;
  };
  EXPECT_EQ(gate(1.0), GateResult::kPassed);
  EXPECT_EQ(gate(1.017), GateResult::kPassed);
  EXPECT_EQ(gate(1.02), GateResult::kUndecided);
  EXPECT_EQ(gate(1.04), GateResult::kUndecided);
  EXPECT_EQ(gate(1.088), GateResult::kUndecided);
  EXPECT_EQ(gate(1.089), GateResult::kFailed);
  EXPECT_EQ(gate(0.5), GateResult::kPassed);
  GateOptions strict = kGate;
  strict.fail_when_unclear = true;
  EXPECT_TRUE(judge(constant_runs({1.0}), constant_runs({1.03}), strict).fails);
  EXPECT_FALSE(judge(constant_runs({1.0}), constant_runs({1.03}), kGate).fails);
}

// Logarithms 0 and ±0.01, 0.05 and 0.05 ± 0.01: variance 0.0004 ÷ 4 = 0.0001 with 4 degrees of
// freedom. 2.776445 · 0.01 · √(2 ÷ 3) = 0.0226696. The gate requires no more than for one run per
// side, 2.776445 · 0.003 · √2 = 0.0117795.
TEST(Verdict, OfSeveralRunsHasTheirSpread) {
  const auto runs = [](double center) {
    return constant_runs({std::exp(center - 0.01), std::exp(center), std::exp(center + 0.01)});
  };
  const Verdict verdict = judge(runs(0), runs(0.05), kGate);
  EXPECT_TRUE(verdict.is_run_spread_measured);
  EXPECT_NEAR(*verdict.run_spread_ratio, 0.01, 1e-9);
  EXPECT_EQ(verdict.base.run_count, 3);
  EXPECT_NEAR(verdict.base.greatest_deviation_ratio, std::expm1(0.01), 1e-9);
  EXPECT_NEAR(*verdict.change_ratio, std::expm1(0.05), 1e-9);
  EXPECT_NEAR(*verdict.low_ratio, std::expm1(0.05 - 0.0226696), 1e-6);
  EXPECT_NEAR(*verdict.high_ratio, std::expm1(0.05 + 0.0226696), 1e-6);
  EXPECT_EQ(verdict.judgement, Judgement::kSlower);
  EXPECT_NEAR(*verdict.gate_low_ratio, std::expm1(0.05 - 0.0117795), 1e-6);
  EXPECT_EQ(verdict.gate, GateResult::kFailed);
}

// A tenth of that spread: 2.776445 · 0.0015 · √(2 ÷ 3) = 0.00340048.
TEST(Verdict, OfRunsThatAgreeHasALeastSpread) {
  const auto runs = [](double center) {
    return constant_runs({std::exp(center - 0.001), std::exp(center), std::exp(center + 0.001)});
  };
  const Verdict verdict = judge(runs(0), runs(0.05), kGate);
  EXPECT_EQ(*verdict.run_spread_ratio, kMinRunSpreadRatio);
  EXPECT_NEAR(*verdict.low_ratio, std::expm1(0.05 - 0.00340048), 1e-7);
  EXPECT_EQ(verdict.gate, GateResult::kFailed);
}

// Two runs of a base that are 10 % apart: Student's t for one degree of freedom is 12.7062.
TEST(Verdict, OfTwoRunsFarApartKnowsLittle) {
  const Verdict verdict = judge(constant_runs({1.0, 1.1}), constant_runs({1.2}), kGate);
  const double deviation = std::log(1.1) / std::sqrt(2.0);
  EXPECT_NEAR(*verdict.run_spread_ratio, deviation, 1e-9);
  EXPECT_NEAR(std::log1p(*verdict.high_ratio),
              std::log(1.2 / std::sqrt(1.1)) + 12.706205 * deviation * std::sqrt(1.5), 1e-6);
  EXPECT_EQ(verdict.judgement, Judgement::kWithinNoise);
  EXPECT_EQ(verdict.gate, GateResult::kUndecided);
}

TEST(Verdict, IsAntisymmetric) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Machine machine{.count = 200,
                          .noise_ratio = 0.02,
                          .memory = 0.5,
                          .odd_chance = 0.5,
                          .clock_ratio = seed % 3 == 0 ? 0.05 : 0,
                          .mode_ratio = seed % 3 == 1 ? 0.05 : 0};
    const auto a = one(measured(run_on(machine, seed)));
    const auto b = one(measured(run_on(machine, seed + 1000)));
    const Verdict forth = judge(a, b), back = judge(b, a);
    EXPECT_NEAR(1 + *back.low_ratio, 1 / (1 + *forth.high_ratio), 1e-9) << seed;
    EXPECT_NEAR(1 + *back.high_ratio, 1 / (1 + *forth.low_ratio), 1e-9) << seed;
    EXPECT_NEAR(1 + *back.change_ratio, 1 / (1 + *forth.change_ratio), 1e-9) << seed;
    EXPECT_EQ(forth.judgement == Judgement::kSlower, back.judgement == Judgement::kFaster);
    EXPECT_EQ(forth.judgement == Judgement::kUnclear, back.judgement == Judgement::kUnclear);
  }
}

TEST(Verdict, OfARunAgainstItselfIsNoise) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto run = one(measured(run_on({.mode_ratio = seed % 2 == 0 ? 0.05 : 0}, seed)));
    const Verdict verdict = judge(run, run, kGate);
    EXPECT_EQ(verdict.judgement, Judgement::kWithinNoise);
    EXPECT_EQ(verdict.change_ratio, 0);
  }
}

// --- What must not fool it ---

// 60 % of the base at one clock, 40 % of the candidate: nothing of the engine changed.
TEST(Verdict, ComparesLevelsWithLevels) {
  const auto stepping = [](double share, std::uint64_t seed) {
    std::vector<double> samples = run_on({.count = 400, .run_spread_ratio = 0}, seed);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (static_cast<double>(i) >= share * 400) samples[i] *= 1.06;
    }
    return one(measured(std::move(samples)));
  };
  const Verdict verdict = judge(stepping(0.7, 1), stepping(0.3, 2), kGate);
  EXPECT_NEAR(*verdict.change_ratio, 0.06, 0.01);
  EXPECT_EQ(verdict.judgement, Judgement::kUnclear);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kSteps);
  EXPECT_EQ(verdict.gate, GateResult::kUndecided);
  EXPECT_FALSE(verdict.fails);
}

TEST(Verdict, IsClearWhereEveryLevelIsSlower) {
  const auto base = one(noisy(1, 1));
  std::vector<double> samples = run_on({.count = 400, .run_spread_ratio = 0}, 2);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] *= i < 200 ? 1.2 : 1.3;
  const Verdict verdict = judge(base, one(measured(std::move(samples))), kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kSlower);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kSteps);
  EXPECT_TRUE(verdict.is_candidate_unclear);
  EXPECT_EQ(verdict.gate, GateResult::kFailed);
}

TEST(Verdict, TakesADriftForWhatItIs) {
  const auto drifting = [](double to, std::uint64_t seed) {
    std::vector<double> samples = run_on({.count = 600, .run_spread_ratio = 0}, seed);
    for (std::size_t i = 0; i < 600; ++i) samples[i] *= 1 + to * static_cast<double>(i) / 600;
    return measured(std::move(samples));
  };
  const MeasuredRun run = drifting(0.1, 2);
  ASSERT_EQ(run.levels.size(), 2U);
  EXPECT_EQ(run.levels.front().kind, LevelKind::kDrift);
  EXPECT_NEAR(run.levels.front().median_ms, 1.0, 0.01);
  EXPECT_NEAR(run.levels.back().median_ms, 1.1, 0.01);
  const Verdict verdict = judge(one(noisy(1, 1)), one(run), kGate);
  EXPECT_NEAR(*verdict.change_ratio, 0.05, 0.01);
  EXPECT_EQ(verdict.judgement, Judgement::kUnclear);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kDrift);
  EXPECT_FALSE(verdict.fails);
}

TEST(Verdict, LeavesTheWarmUpOut) {
  std::vector<double> samples = run_on({.count = 600, .run_spread_ratio = 0}, 5);
  for (std::size_t i = 0; i < 100; ++i) samples[i] *= 1.5;
  const Verdict verdict = judge(one(noisy(1, 1)), one(measured(std::move(samples))), kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kWithinNoise);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kNone);
  EXPECT_EQ(verdict.gate, GateResult::kPassed);
}

// A run that begins at a clock that it can't sustain is not warm-up.
TEST(Verdict, CountsAQuickStartAsALevel) {
  std::vector<double> samples = run_on({.count = 600, .run_spread_ratio = 0}, 5);
  for (std::size_t i = 60; i < 600; ++i) samples[i] *= 1.06;
  const Verdict verdict = judge(one(noisy(1, 1)), one(measured(std::move(samples))), kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kUnclear);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kSteps);
  EXPECT_FALSE(verdict.fails);
}

// Two values drawn sample by sample.
std::vector<MeasuredRun> two_modes(double level_ms, double slow_share, std::uint64_t seed) {
  Noise noise(seed);
  std::vector<double> samples;
  for (int i = 0; i < 1000; ++i) {
    const double mode = noise.uniform() < slow_share ? 1.1 : 1;
    samples.push_back(level_ms * mode * (1 + 0.004 * noise.normal()));
  }
  return one(measured(std::move(samples)));
}

TEST(Verdict, IsUnclearWhereTheMixOfModesDecides) {
  const auto base = two_modes(1, 0.25, 1), candidate = two_modes(1, 0.75, 2);
  ASSERT_EQ(base.front().levels.size(), 2U);
  EXPECT_EQ(base.front().levels.front().kind, LevelKind::kMode);
  EXPECT_NEAR(base.front().levels.back().share, 0.25, 0.05);
  const Verdict verdict = judge(base, candidate, kGate);
  // Half of the samples moved from one to the other: 0.5 · ln 1.1.
  EXPECT_NEAR(*verdict.change_ratio, std::expm1(0.0477), 0.006);
  EXPECT_EQ(verdict.judgement, Judgement::kUnclear);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kTwoModes);
  EXPECT_EQ(verdict.gate, GateResult::kUndecided);
}

TEST(Verdict, IsClearWhereBothModesMoved) {
  const GateOptions known = {.fail_above_ratio = 0.03, .assumed_run_spread_ratio = 0.003};
  const Verdict verdict = judge(two_modes(1, 0.25, 1), two_modes(1.05, 0.75, 2), known);
  EXPECT_EQ(verdict.judgement, Judgement::kSlower);
  EXPECT_NEAR(*verdict.change_ratio, 0.05, 0.003);
  EXPECT_GT(*verdict.low_ratio, 0.035);
  EXPECT_LT(*verdict.high_ratio, 0.065);
  EXPECT_GT(*verdict.gate_low_ratio, 0.035);
  EXPECT_EQ(verdict.gate, GateResult::kFailed);
}

// Both modes are 1.5 % slower, but most samples moved from the fast to the slow one.
TEST(Verdict, DoesNotPassWhereTheMixMayHaveChangedMore) {
  const Verdict verdict = judge(two_modes(1, 0.2, 1), two_modes(1.014, 0.8, 2), kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kUnclear);
  EXPECT_EQ(verdict.gate, GateResult::kUndecided);
}

// Modes that are drawn sample by sample belong to the engine: nothing changed, and it passes.
TEST(Verdict, PassesWhereModesAndTheirMixStayed) {
  const Verdict verdict = judge(two_modes(1, 0.5, 1), two_modes(1, 0.5, 2), kGate);
  EXPECT_EQ(verdict.gate, GateResult::kPassed);
  EXPECT_LT(std::abs(*verdict.change_ratio), 0.01);
}

// With three runs per side, one shows only the slower mode, one only the faster.
TEST(Verdict, ComparesModesOfSeveralRuns) {
  const auto side = [](double level_ms, std::uint64_t seed) {
    std::vector<MeasuredRun> runs = two_modes(level_ms, 0.5, seed);
    runs.push_back(two_modes(level_ms, 0.002, seed + 10).front());
    runs.push_back(two_modes(level_ms, 0.998, seed + 20).front());
    return runs;
  };
  const Verdict verdict = judge(side(1, 1), side(1.05, 2), kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kSlower);
  EXPECT_NEAR(*verdict.change_ratio, 0.05, 0.003);
  EXPECT_EQ(verdict.gate, GateResult::kFailed);
  EXPECT_EQ(judge(side(1, 1), side(1, 2), kGate).judgement, Judgement::kWithinNoise);
}

// One of three runs was at another clock for all but its start.
TEST(Verdict, ComparesTheLevelThatAllRunsVisited) {
  const auto side = [](double level_ms, std::uint64_t seed) {
    std::vector<MeasuredRun> runs = {noisy(level_ms, seed), noisy(level_ms, seed + 1)};
    std::vector<double> samples =
        run_on({.count = 400, .level_ms = level_ms, .run_spread_ratio = 0}, seed + 2);
    for (std::size_t i = 80; i < samples.size(); ++i) samples[i] *= 1.08;
    runs.push_back(measured(std::move(samples)));
    return runs;
  };
  const Verdict verdict = judge(side(1, 1), side(1.05, 4), kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kSlower);
  EXPECT_NEAR(*verdict.change_ratio, 0.05, 0.005);
  EXPECT_EQ(verdict.gate, GateResult::kFailed);
}

// --- What there is nothing to judge by ---

TEST(Verdict, OfNothingIsUnknown) {
  const auto run = one(noisy(1, 1));
  for (const Verdict& verdict :
       {judge({}, run, kGate), judge(run, {}, kGate), judge(run, one(MeasuredRun{}), kGate)}) {
    EXPECT_EQ(verdict.judgement, Judgement::kUnknown);
    EXPECT_EQ(verdict.unclear_reason, UnclearReason::kNoTimes);
    EXPECT_FALSE(verdict.change_ratio);
    EXPECT_FALSE(verdict.low_ratio);
    EXPECT_EQ(verdict.gate, GateResult::kUnknown);
    EXPECT_FALSE(verdict.fails);
  }
  EXPECT_TRUE(judge({}, run, {.fail_above_ratio = 0.03, .fail_when_unclear = true}).fails);
}

MeasuredRun few(double level_ms, std::size_t count, double noise_ratio, std::uint64_t seed) {
  return noisy(level_ms, seed, {.count = count, .noise_ratio = noise_ratio});
}

TEST(Verdict, OfFewSamplesIsClearWhereEnginesAreFarApart) {
  const Verdict verdict = judge(one(few(1, 15, 0.05, 1)), one(few(0.45, 20, 0.05, 2)), kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kFaster);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kNone);
  EXPECT_NEAR(*verdict.change_ratio, -0.55, 0.03);
  EXPECT_LT(*verdict.high_ratio, -0.4);
  EXPECT_EQ(verdict.gate, GateResult::kPassed);
}

TEST(Verdict, OfFewSamplesSaysHowManyAreNeeded) {
  const Verdict verdict = judge(one(few(1, 15, 0.03, 1)), one(few(1.02, 20, 0.03, 2)), kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kUnclear);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kTooFewSamples);
  EXPECT_FALSE(verdict.is_candidate_unclear && verdict.candidate.sample_count != 20);
  ASSERT_TRUE(verdict.needed_sample_count);
  EXPECT_GE(*verdict.needed_sample_count, 30);
  EXPECT_LE(*verdict.needed_sample_count, 1000);
}

TEST(Verdict, OfHardlyAnySamplesHasNoInterval) {
  const Verdict verdict =
      judge(one(noisy(1, 1)), one(measured(std::vector<double>(kMinForRange - 1, 2.0))), kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kUnclear);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kTooFewSamples);
  EXPECT_NEAR(*verdict.change_ratio, 1.0, 0.01);
  EXPECT_FALSE(verdict.low_ratio);
  EXPECT_EQ(verdict.gate, GateResult::kUndecided);
}

TEST(Verdict, OfDifferentFiguresIsUnknown) {
  MeasuredRun latency = noisy(1, 1);
  latency.field = "latency";
  const Verdict verdict = judge(one(noisy(1, 1)), one(latency), kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kUnknown);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kDifferentFigures);
  EXPECT_FALSE(verdict.change_ratio);
}

TEST(Verdict, OfDifferentStreamsIsUnclear) {
  MeasuredRun overlapping = noisy(2, 1);
  overlapping.concurrent = 2;
  const Verdict verdict = judge(one(noisy(1, 1)), one(overlapping), kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kUnclear);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kDifferentStreams);
  EXPECT_FALSE(verdict.low_ratio);
}

TEST(Verdict, OfLayerSumsHasNoInterval) {
  MeasuredRun base = noisy(1, 1);
  base.layer_sum_ms = 1.2;
  base.layer_sum_basis = TimeBasis::kMedian;
  MeasuredRun candidate;
  candidate.source = TimeSource::kLayerSum;
  candidate.median_ms = candidate.layer_sum_ms = 1.5;
  candidate.layer_sum_basis = TimeBasis::kMedian;
  const Verdict verdict = judge(one(base), one(candidate), kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kUnknown);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kLayerSumsOnly);
  EXPECT_EQ(verdict.source, TimeSource::kLayerSum);
  EXPECT_EQ(verdict.base.median_ms, 1.2);
  EXPECT_NEAR(*verdict.change_ratio, 0.25, 1e-12);
  EXPECT_FALSE(verdict.low_ratio);
  EXPECT_EQ(verdict.gate, GateResult::kUnknown);
  candidate.layer_sum_basis = TimeBasis::kMean;
  EXPECT_FALSE(judge(one(base), one(candidate), kGate).change_ratio);
}

TEST(Verdict, OfSummariesHasNoInterval) {
  MeasuredRun summary;
  summary.source = TimeSource::kSummary;
  summary.field = "compute";
  summary.median_ms = 2;
  const Verdict verdict = judge(one(summary), one(noisy(1, 1)), kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kUnknown);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kNoSamples);
  EXPECT_NEAR(*verdict.change_ratio, -0.5, 0.01);
  EXPECT_FALSE(verdict.low_ratio);
}

// Hostile times: the largest time that a series can have besides the smallest.
TEST(Verdict, SurvivesTimesBeyondReason) {
  const auto tiny = constant_runs({std::numeric_limits<double>::denorm_min()});
  const auto huge = constant_runs({86'400'000.0});
  for (const Verdict& verdict : {judge(tiny, huge, kGate), judge(huge, tiny, kGate)}) {
    for (const auto figure : {verdict.change_ratio, verdict.low_ratio, verdict.high_ratio}) {
      EXPECT_TRUE(!figure || std::isfinite(*figure));
    }
  }
}

// --- Real engines ---

TEST(Verdict, OfRealEnginesIsWhatTheyWereBuiltFor) {
  PLANEX_NEED_TEST_DATA(data);
  const auto run = [&](const char* engine) {
    return one(measure_run(test::must(test::load_engine(data, engine))));
  };
  const auto fp32 = run("resnet18-a100-fp32"), qat = run("resnet18-a100-qat"),
             residual = run("resnet18-a100-qat-residual");
  // Medians 1.991, 0.883 and 0.546 ms.
  const Verdict quantized = judge(fp32, qat, kGate);
  EXPECT_EQ(quantized.judgement, Judgement::kFaster);
  EXPECT_EQ(quantized.source, TimeSource::kSamples);
  EXPECT_EQ(quantized.field, "compute");
  EXPECT_NEAR(*quantized.change_ratio, 0.8826 / 1.9907 - 1, 0.005);
  EXPECT_EQ(quantized.gate, GateResult::kPassed);
  const Verdict back = judge(residual, qat, kGate);
  EXPECT_EQ(back.judgement, Judgement::kSlower);
  EXPECT_TRUE(back.fails);
}

// Runs of OpenVINO on a processor differ more than those of an accelerator.
TEST(Verdict, AssumesMoreOfAProcessor) {
  PLANEX_NEED_TEST_DATA(data);
  const auto run = [&](const char* engine) {
    return one(measure_run(test::must(test::load_engine(data, engine))));
  };
  const auto fp32 = run("openvino2026.4-resnet18-fp32-b8");
  const auto naive = run("openvino2026.4-resnet18-qdq-naive-b8");
  EXPECT_EQ(fp32.front().assumed_spread_ratio, kAssumedProcessorSpreadRatio);
  EXPECT_EQ(run("resnet18-a100-fp32").front().assumed_spread_ratio, kAssumedRunSpreadRatio);
  // Its report has a median and no samples.
  const Verdict verdict = judge(fp32, naive, kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kUnknown);
  EXPECT_EQ(verdict.unclear_reason, UnclearReason::kNoSamples);
  EXPECT_TRUE(verdict.change_ratio);
  EXPECT_FALSE(verdict.low_ratio);
}

// 2.776445 · 0.02 · √2 = 0.0785298: the greater assumption, where devices differ.
TEST(Verdict, TakesTheGreaterAssumption) {
  auto candidate = constant_runs({1.05});
  candidate.front().assumed_spread_ratio = kAssumedProcessorSpreadRatio;
  const Verdict verdict = judge(constant_runs({1.0}), candidate, kGate);
  EXPECT_EQ(verdict.judgement, Judgement::kWithinNoise);
  EXPECT_NEAR(*verdict.gate_high_ratio, 1.05 * std::exp(0.0785298) - 1, 1e-6);
}

// 2.776445 · 0.1 · √2 = 0.392649: other programs make a larger difference than most changes do.
TEST(Verdict, OfABusyMachineIsClearWhereEnginesAreFarApart) {
  model::ModelBuilder builder;
  builder.add_diagnostic({.code = "busy-machine", .message = "busy"});
  const double assumed = measure_run(builder.finish()).assumed_spread_ratio;
  EXPECT_EQ(assumed, kAssumedBusySpreadRatio);
  for (const bool is_candidate : {false, true}) {
    auto base = constant_runs({1.0}), slower = constant_runs({1.2}), far = constant_runs({1.5});
    for (auto* runs : {&slower, &far}) runs->front().assumed_spread_ratio = assumed;
    if (!is_candidate)
      std::swap(base.front().assumed_spread_ratio, slower.front().assumed_spread_ratio);
    const Verdict verdict = judge(base, slower, kGate);
    EXPECT_EQ(verdict.judgement, Judgement::kWithinNoise);
    EXPECT_NEAR(*verdict.high_ratio, 1.2 * std::exp(0.392649) - 1, 1e-5);
    EXPECT_EQ(verdict.gate, GateResult::kUndecided);
    EXPECT_EQ(judge(base, far, kGate).gate, GateResult::kUndecided);
    EXPECT_EQ(judge(base, far, kGate).judgement, Judgement::kSlower);
  }
}

}  // namespace
}  // namespace planex::analyze
