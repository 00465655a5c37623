// Series with a known truth, series without any finding, odd ones, and the real files.
#include "analyze/timing/steady_state.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "analyze/timing/level_shifts.h"
#include "analyze/timing/regularity.h"
#include "analyze/timing/trend.h"
#include "analyze/verdict/verdict_test_series.h"
#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

// Between the end of one inference and the start of the next.
constexpr double kPauseMs = 0.01;

SteadyState steady_state(const std::vector<double>& samples) {
  model::ModelBuilder builder;
  model::IterationsTable& table = builder.model().iterations;
  double start = 100;
  for (const double ms : samples) {
    const std::size_t row = table.add_row();
    table.compute_ms.set(row, ms);
    table.start_ms.set(row, start);
    start += (std::isfinite(ms) ? ms : 1) + kPauseMs;
  }
  return find_steady_state(builder.finish()).value();
}

std::vector<double> series(std::size_t count, std::uint64_t seed,
                           const std::function<double(std::size_t, Noise&)>& sample) {
  Noise noise(seed);
  std::vector<double> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(sample(i, noise));
  return result;
}

bool finds_anything(const SteadyState& state) {
  return state.verdict != Steadiness::kSteady || state.modes || !state.excursions.empty() ||
         state.spikes->period || state.spikes->inner_period || !state.clock_signs.empty();
}

// False alarms of 500 series without a finding.
int false_alarms(std::size_t count, const std::function<double(std::size_t, Noise&)>& sample) {
  int alarms = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    if (finds_anything(steady_state(series(count, seed * 7919, sample)))) ++alarms;
  }
  return alarms;
}
constexpr int kMaxFalseAlarms = 10;  // 2 %

TEST(SteadyState, WhiteNoiseIsSteady) {
  for (const std::size_t count : {30U, 100U, 400U}) {
    EXPECT_LT(false_alarms(count, [](auto, Noise& noise) { return 0.5 + 0.005 * noise.normal(); }),
              kMaxFalseAlarms)
        << count;
  }
}

TEST(SteadyState, WideNoiseIsSteady) {
  EXPECT_LT(false_alarms(400, [](auto, Noise& noise) { return 0.5 + 0.03 * noise.normal(); }),
            kMaxFalseAlarms);
}

TEST(SteadyState, NoiseWithMemoryIsSteady) {
  for (const double memory : {0.3, 0.5, 0.8}) {
    EXPECT_LT(false_alarms(
                  400, [=](auto, Noise& noise) { return 0.5 + 0.005 * noise.remembering(memory); }),
              kMaxFalseAlarms)
        << memory;
  }
}

TEST(SteadyState, TicksOfATimerAreSteady) {
  EXPECT_LT(false_alarms(400,
                         [](auto, Noise& noise) {
                           constexpr double kTick = 0.001024;
                           return std::round((0.27 + 0.0008 * noise.normal()) / kTick) * kTick;
                         }),
            kMaxFalseAlarms);
}

// Times of some ten timer steps, so that one step is several percent: no modes, spikes or levels,
// wherever the truth is between two steps and however many steps the samples cover.
TEST(SteadyState, TicksOfACoarseTimerAreNeitherModesNorSpikesNorSteps) {
  for (const double tick : {0.001024, 0.001, 0.05}) {
    for (const double ticks : {29.3, 48.5, 69.0, 97.7, 268.4}) {
      for (const double noise_ratio : {0.002, 0.01, 0.02}) {
        for (const std::size_t count : {300U, 1000U}) {
          const double level = ticks * tick;
          const SteadyState state = steady_state(series(count, 77, [&](auto, Noise& noise) {
            return std::round(level * (1 + noise_ratio * noise.normal()) / tick) * tick;
          }));
          EXPECT_EQ(state.verdict, Steadiness::kSteady)
              << tick << " " << ticks << " " << noise_ratio << " " << count;
          EXPECT_FALSE(state.modes);
          EXPECT_EQ(state.spikes->count, 0);
        }
      }
    }
  }
}

// "0.274 ms (40 %) and 0.275 ms (60 %)": times between two steps.
TEST(SteadyState, NeighbouringTicksAreOneValue) {
  const SteadyState state = steady_state(
      series(500, 5, [](auto, Noise& noise) { return noise.uniform() < 0.4 ? 0.274 : 0.275; }));
  EXPECT_EQ(state.verdict, Steadiness::kSteady);
  EXPECT_FALSE(state.modes);
}

TEST(SteadyState, FindsModesAndSpikesOnACoarseTimer) {
  const SteadyState state = steady_state(series(1000, 6, [](auto i, Noise& noise) {
    const double ms = (noise.uniform() < 0.5 ? 0.050 : 0.058) * (1 + 0.005 * noise.normal());
    const double factor = i % 100 == 50 ? 2 : 1;
    return std::round(ms * factor / 0.001024) * 0.001024;
  }));
  ASSERT_TRUE(state.modes);
  EXPECT_NEAR(state.modes->low_ms, 0.050, 0.001024);
  EXPECT_NEAR(state.modes->high_ms, 0.058, 0.001024);
  EXPECT_EQ(state.spikes->count, 10);
}

TEST(SteadyState, SpikesByChanceHaveNoPeriod) {
  EXPECT_LT(false_alarms(600,
                         [](std::size_t i, Noise& noise) {
                           const bool spike = noise.uniform() < 0.03 && i > 0;
                           return (0.5 + 0.002 * noise.normal()) *
                                  (spike ? 1.2 + noise.uniform() : 1);
                         }),
            kMaxFalseAlarms);
}

TEST(SteadyState, FindsTheEndOfAWarmUp) {
  const SteadyState state = steady_state(series(3000, 1, [](std::size_t i, Noise& noise) {
    const double cold = i < 200 ? 0.3 : 0;
    return 1 + cold + 0.004 * noise.normal();
  }));
  EXPECT_EQ(state.verdict, Steadiness::kAfterStart);
  ASSERT_TRUE(state.warm_up);
  EXPECT_EQ(state.warm_up->range.first, 0);
  EXPECT_EQ(state.warm_up->range.last, 199);
  EXPECT_NEAR(*state.warm_up->range.end_ms, 200 * (1.3 + kPauseMs), 1);
  EXPECT_NEAR(state.warm_up->from_ms, 1.3, 0.002);
  EXPECT_NEAR(state.warm_up->to_ms, 1.0, 0.001);
  EXPECT_TRUE(state.steps.empty());
  ASSERT_TRUE(state.trusted);
  EXPECT_EQ(state.trusted->range.first, 200);
  EXPECT_EQ(state.trusted->range.last, 2999);
  EXPECT_EQ(state.clock_signs, std::vector{ClockSign::kWarmUp});
}

TEST(SteadyState, FindsTheEndOfARamp) {
  const SteadyState state = steady_state(series(4000, 2, [](std::size_t i, Noise& noise) {
    return 1 + 0.2 * std::exp(-static_cast<double>(i) / 100) + 0.002 * noise.normal();
  }));
  ASSERT_TRUE(state.warm_up);
  // 0.2 · exp(−i/100) is 1 % at 300 and 0.3 % at 420.
  EXPECT_GT(state.warm_up->range.last, 250);
  EXPECT_LT(state.warm_up->range.last, 600);
  EXPECT_NEAR(state.trusted->median_ms, 1, 0.001);
  EXPECT_TRUE(state.steps.empty());
}

TEST(SteadyState, TakesFirstStraySamplesForWarmUp) {
  const SteadyState state = steady_state(series(1000, 3, [](std::size_t i, Noise& noise) {
    return (i < 2 ? 3 : 1) + 0.004 * noise.normal();
  }));
  EXPECT_EQ(state.verdict, Steadiness::kAfterStart);
  EXPECT_EQ(state.warm_up->range.count, 2);
  EXPECT_EQ(state.trusted->range.count, 998);
  EXPECT_EQ(state.spikes->count, 0);
  EXPECT_TRUE(state.clock_signs.empty());
}

TEST(SteadyState, FindsDriftAndItsSlope) {
  const SteadyState state = steady_state(series(2000, 4, [](std::size_t i, Noise& noise) {
    return 1 + 0.00002 * static_cast<double>(i) + 0.005 * noise.normal();
  }));
  EXPECT_EQ(state.verdict, Steadiness::kDrifts);
  ASSERT_TRUE(state.drift && state.drift->is_significant);
  // 0.04 of a median of 1.02.
  EXPECT_NEAR(state.drift->change_ratio, 0.04 / 1.02, 0.002);
  EXPECT_NEAR(state.drift->per_1000_samples_ratio, 0.02 / 1.02, 0.001);
  EXPECT_NEAR(*state.drift->per_second_ratio, 0.02 / 1.02 / 1.03, 0.001);
  EXPECT_LT(state.drift->p_value, 1e-6);
  EXPECT_TRUE(state.steps.empty());
  EXPECT_FALSE(state.warm_up);
  EXPECT_EQ(state.clock_signs, std::vector{ClockSign::kDrift});
}

TEST(SteadyState, FindsAStep) {
  const SteadyState state = steady_state(series(2000, 5, [](std::size_t i, Noise& noise) {
    return (i < 1200 ? 1 : 1.02) + 0.003 * noise.normal();
  }));
  EXPECT_EQ(state.verdict, Steadiness::kSteps);
  ASSERT_EQ(state.steps.size(), 1U);
  EXPECT_NEAR(static_cast<double>(state.steps[0].at), 1200, 3);
  EXPECT_NEAR(*state.steps[0].at_ms, 1200 * 1.01, 5);
  EXPECT_NEAR(state.steps[0].before_ms, 1, 0.001);
  EXPECT_NEAR(state.steps[0].after_ms, 1.02, 0.001);
  EXPECT_NEAR(state.steps[0].change_ratio, 0.02, 0.001);
  ASSERT_EQ(state.levels.size(), 2U);
  EXPECT_NEAR(state.levels[0].share, 0.6, 0.01);
  EXPECT_NEAR(static_cast<double>(state.trusted->range.count), 1200, 3);
  EXPECT_FALSE(state.modes);
  EXPECT_FALSE(state.drift->is_significant);
  EXPECT_EQ(state.clock_signs, std::vector{ClockSign::kSteps});
}

TEST(SteadyState, FindsLevelsThatComeBack) {
  const SteadyState state = steady_state(series(4000, 6, [](std::size_t i, Noise& noise) {
    return (i / 500 % 2 == 0 ? 1 : 1.031) + 0.002 * noise.normal();
  }));
  EXPECT_EQ(state.steps.size(), 7U);
  ASSERT_EQ(state.levels.size(), 2U);
  EXPECT_NEAR(state.levels[1].median_ms / state.levels[0].median_ms, 1.031, 0.001);
  EXPECT_FALSE(state.warm_up) << "the first level comes back";
}

TEST(SteadyState, TellsAnExcursionFromAStep) {
  const SteadyState state = steady_state(series(6000, 7, [](std::size_t i, Noise& noise) {
    return (i >= 3000 && i < 3090 ? 1.02 : 1) + 0.001 * noise.normal();
  }));
  EXPECT_EQ(state.verdict, Steadiness::kSteady);
  ASSERT_EQ(state.excursions.size(), 1U);
  EXPECT_NEAR(static_cast<double>(state.excursions[0].range.first), 3000, 20);
  EXPECT_NEAR(state.excursions[0].change_ratio, 0.02, 0.002);
}

TEST(SteadyState, FindsTwoModes) {
  const SteadyState state = steady_state(series(2000, 8, [](std::size_t, Noise& noise) {
    return (noise.uniform() < 0.7 ? 1 : 1.05) + 0.004 * noise.normal();
  }));
  EXPECT_EQ(state.verdict, Steadiness::kTwoModes);
  ASSERT_TRUE(state.modes);
  EXPECT_NEAR(state.modes->low_ms, 1, 0.002);
  EXPECT_NEAR(state.modes->high_ms, 1.05, 0.002);
  EXPECT_NEAR(state.modes->high_share, 0.3, 0.03);
  // 1 ÷ (2 · 0.7 · 0.3).
  EXPECT_NEAR(state.modes->mean_run, 2.38, 0.2);
  EXPECT_EQ(state.spikes->count, 0) << "the slower mode is not a spike";
  EXPECT_TRUE(state.clock_signs.empty()) << "clocks don't change at every sample";
}

TEST(SteadyState, FindsTwoModesOfConstants) {
  const SteadyState state =
      steady_state(series(400, 9, [](std::size_t i, Noise&) { return i % 3 == 0 ? 1.06 : 1.0; }));
  ASSERT_TRUE(state.modes);
  EXPECT_EQ(state.modes->low_ms, 1.0);
  EXPECT_NEAR(state.modes->high_ms, 1.06, 1e-9);
  ASSERT_TRUE(state.modes->period);
  EXPECT_NEAR(state.modes->period->samples, 3, 1e-9);
}

TEST(SteadyState, FindsSpikesAndTheirPeriodInTime) {
  // Something else runs every 100 ms.
  double next_ms = 40, now_ms = 0;
  const SteadyState state = steady_state(series(4000, 10, [&](std::size_t, Noise& noise) {
    double ms = 0.8 + 0.01 * noise.normal();
    if (now_ms >= next_ms) {
      next_ms += 100;
      ms += 0.6;
    }
    now_ms += ms + kPauseMs;
    return ms;
  }));
  ASSERT_TRUE(state.spikes);
  EXPECT_EQ(state.spikes->count, 33);
  ASSERT_TRUE(state.spikes->period);
  EXPECT_NEAR(*state.spikes->period->ms, 100, 1.5);
  EXPECT_NE(state.spikes->period->regular_in, "samples");
  EXPECT_EQ(state.spikes->burst_count, 33);
  EXPECT_FALSE(state.spikes->inner_period);
}

TEST(SteadyState, FindsSpikesAndTheirPeriodInSamples) {
  // Times wander, so that only counting finds every 64th sample.
  const SteadyState state = steady_state(series(6400, 11, [](std::size_t i, Noise& noise) {
    const double level = i % 640 < 320 ? 1 : 1.6;
    return level * (1 + 0.003 * noise.normal()) * (i % 64 == 63 ? 1.5 : 1);
  }));
  ASSERT_TRUE(state.spikes->period);
  EXPECT_NEAR(state.spikes->period->samples, 64, 1e-9);
  EXPECT_EQ(state.spikes->period->regular_in, "samples");
}

TEST(SteadyState, FindsBurstsAndWhatIsInThem) {
  const SteadyState state = steady_state(series(10000, 12, [](std::size_t i, Noise& noise) {
    const bool burst = i % 1500 >= 700 && i % 1500 < 760;
    return (1 + 0.003 * noise.normal()) * (burst && i % 6 == 0 ? 1.2 : 1);
  }));
  ASSERT_TRUE(state.spikes->period);
  EXPECT_NEAR(state.spikes->period->samples, 1500, 10);
  EXPECT_EQ(state.spikes->burst_count, 7);
  ASSERT_TRUE(state.spikes->inner_period);
  EXPECT_NEAR(state.spikes->inner_period->samples, 6, 1e-9);
}

TEST(SteadyState, CoversTheMedianWithItsInterval) {
  int covered = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const SteadyState state = steady_state(
        series(300, seed, [](auto, Noise& noise) { return 1 + 0.01 * noise.remembering(0.5); }));
    if (!state.trusted) continue;
    covered += state.trusted->median_low_ms <= 1 && 1 <= state.trusted->median_high_ms ? 1 : 0;
  }
  // 95 %; batch means of 17 batches leave some doubt.
  EXPECT_GT(covered, 400 * 88 / 100);
}

TEST(SteadyState, EffectiveCountShrinksWithMemory) {
  const auto effective = [](double memory) {
    const SteadyState state = steady_state(
        series(4000, 13, [=](auto, Noise& noise) { return 1 + 0.01 * noise.remembering(memory); }));
    return state.trusted->effective_count;
  };
  // n · (1 − φ) ÷ (1 + φ).
  EXPECT_GT(effective(0), 2500);
  EXPECT_NEAR(effective(0.8), 4000.0 / 9, 250);
}

TEST(SteadyState, TellsStreamsThatOverlap) {
  // Two streams, written one after the other.
  model::ModelBuilder builder;
  model::IterationsTable& table = builder.model().iterations;
  for (int stream = 0; stream < 2; ++stream) {
    for (int i = 0; i < 200; ++i) {
      const std::size_t row = table.add_row();
      table.compute_ms.set(row, 1.0);
      table.start_ms.set(row, i * 1.01 + stream * 0.5);
      table.end_ms.set(row, i * 1.01 + stream * 0.5 + 1);
    }
  }
  const SteadyState state = find_steady_state(builder.finish()).value();
  EXPECT_EQ(state.concurrent, 2);
  EXPECT_GT(state.overlapping_share, 0.99);
  EXPECT_EQ(state.verdict, Steadiness::kSteady);
  EXPECT_NEAR(*state.duration_ms, 199 * 1.01 + 1.5, 1e-9);
}

TEST(SteadyState, SaysWhenThereAreTooFew) {
  EXPECT_EQ(steady_state({1, 2, 3}).verdict, Steadiness::kTooFew);
  EXPECT_EQ(steady_state(std::vector<double>(29, 1.0)).verdict, Steadiness::kTooFew);
  const SteadyState state = steady_state({1});
  EXPECT_EQ(state.sample_count, 1);
  EXPECT_FALSE(state.trusted || state.spikes || state.drift);
  model::ModelBuilder empty;
  EXPECT_FALSE(find_steady_state(empty.finish()));
}

TEST(SteadyState, ConstantsAreSteady) {
  for (const std::size_t count : {30U, 31U, 1000U}) {
    const SteadyState state = steady_state(std::vector<double>(count, 0.123));
    EXPECT_EQ(state.verdict, Steadiness::kSteady);
    EXPECT_FALSE(finds_anything(state));
    EXPECT_EQ(state.trusted->median_low_ms, 0.123);
    EXPECT_EQ(state.trusted->median_high_ms, 0.123);
    EXPECT_EQ(state.trusted->variation, 0);
  }
}

TEST(SteadyState, LeavesOutWhatIsNoTime) {
  std::vector<double> samples(100, 1.0);
  samples[3] = 0;
  samples[10] = -1;
  samples[50] = std::numeric_limits<double>::quiet_NaN();
  samples[60] = std::numeric_limits<double>::infinity();
  samples[70] = 1e300;
  const SteadyState state = steady_state(samples);
  EXPECT_EQ(state.sample_count, 95);
  EXPECT_EQ(state.unusable_count, 5);
  EXPECT_EQ(state.verdict, Steadiness::kSteady);
  EXPECT_EQ(state.trusted->range.last, 99);
  const SteadyState none = steady_state({-1, -2, 0});
  EXPECT_EQ(none.sample_count, 0);
  EXPECT_EQ(none.verdict, Steadiness::kTooFew);
}

TEST(SteadyState, WorksWithoutStartTimes) {
  model::ModelBuilder builder;
  model::IterationsTable& table = builder.model().iterations;
  for (int i = 0; i < 500; ++i) {
    table.latency_ms.set(table.add_row(), i % 50 == 49 ? 3.0 : 1.0 + 0.001 * (i % 7));
  }
  const SteadyState state = find_steady_state(builder.finish()).value();
  EXPECT_EQ(state.field, "latency");
  EXPECT_FALSE(state.duration_ms);
  EXPECT_FALSE(state.trusted->range.start_ms);
  ASSERT_TRUE(state.spikes->period);
  EXPECT_FALSE(state.spikes->period->ms);
  EXPECT_EQ(state.spikes->period->regular_in, "samples");
  EXPECT_NEAR(state.spikes->period->samples, 50, 1e-9);
}

TEST(SteadyState, SurvivesExtremes) {
  for (const double scale : {1e-9, 1e7}) {
    const SteadyState state = steady_state(series(500, 14, [=](std::size_t i, Noise& noise) {
      return scale * (i % 2 == 0 ? 1 : 1 + 5 * noise.uniform());
    }));
    EXPECT_EQ(state.sample_count, 500);
  }
  // As different as can be.
  const SteadyState state = steady_state(series(
      300, 15, [](std::size_t, Noise& noise) { return std::pow(10, 14 * noise.uniform() - 7); }));
  EXPECT_EQ(state.sample_count, 300);
}

TEST(Regularity, NeedsEnoughEvents) {
  EXPECT_FALSE(find_regularity(std::vector<double>{0, 10, 20, 30}));
  const auto found = find_regularity(std::vector<double>{0, 10, 20, 40, 50, 60});
  ASSERT_TRUE(found) << "one event is missing";
  EXPECT_EQ(found->period, 10);
  EXPECT_EQ(found->hit_ratio, 1);
  EXPECT_FALSE(find_regularity(std::vector<double>{0, 1, 10, 12, 37, 81, 82}));
  EXPECT_FALSE(find_regularity(std::vector<double>{5, 5, 5, 5, 5, 5}));
}

TEST(Trend, IsTheMedianOfSlopes) {
  std::vector<double> at, values;
  for (int i = 0; i < 20; ++i) {
    at.push_back(i);
    values.push_back(3 + 0.5 * i);
  }
  values[4] = 1000;  // one stray value
  const Trend trend = find_trend(at, values);
  EXPECT_NEAR(trend.slope, 0.5, 1e-9);
  EXPECT_LT(trend.p_value, 1e-4);
  EXPECT_EQ(find_trend(at, std::vector<double>(20, 1.0)).p_value, 1);
}

// What the files show when plotted.
struct RealSeries {
  const char* engine;
  Steadiness verdict;
  std::int64_t warm_up_from, warm_up_to;  // samples; 0, 0: none
  std::size_t min_levels;
};
constexpr RealSeries kRealSeries[] = {
    // Boosts from 0.466 to 0.352 ms at 0.14 s, and a little more at 0.24 s.
    {"mobilenet-titanrtx-qat", Steadiness::kAfterStart, 280, 600, 1},
    // Boosts at 0.23 s; 0.6 % slower from 2.1 s on.
    {"mobilenet-titanrtx-qat-residual", Steadiness::kSteps, 620, 650, 2},
    {"mobilenet-titanrtx-qat-trt8.2", Steadiness::kAfterStart, 250, 350, 1},
    // Power limit: slower from 0.08 s on, then steps of 0.7 %.
    {"resnet18-a100-fp16", Steadiness::kSteps, 80, 110, 3},
    {"resnet18-a100-fp32", Steadiness::kSteps, 20, 60, 3},
    {"resnet18-a100-qat", Steadiness::kAfterStart, 1, 3, 1},
    {"resnet18-a100-qat-residual", Steadiness::kAfterStart, 1, 3, 1},
    {"resnet18-a100-qat-residual-qgap", Steadiness::kAfterStart, 1, 3, 1},
    {"resnet18-trt10-fp16", Steadiness::kSteps, 0, 0, 3},
    {"resnet50-rtx3090-fp16", Steadiness::kSteps, 20, 50, 2},
    // A quick excess of 0.6 % every 0.27 s.
    {"resnet50-rtx3090-fp32", Steadiness::kTwoModes, 17, 60, 1},
    {"resnet50-rtx3090-qat", Steadiness::kSteps, 60, 90, 3},
};

TEST(SteadyState, SaysWhatRealFilesShow) {
  PLANEX_NEED_TEST_DATA(data);
  for (const RealSeries& expected : kRealSeries) {
    SCOPED_TRACE(expected.engine);
    const model::PlanModel model = test::must(test::load_engine(data, expected.engine));
    const SteadyState state = find_steady_state(model).value();
    EXPECT_EQ(state.verdict, expected.verdict) << to_string(state.verdict);
    EXPECT_EQ(state.warm_up.has_value(), expected.warm_up_to > 0);
    if (state.warm_up) {
      EXPECT_GE(state.warm_up->range.count, expected.warm_up_from);
      EXPECT_LE(state.warm_up->range.count, expected.warm_up_to);
    }
    EXPECT_GE(state.levels.size(), expected.min_levels);
    EXPECT_EQ(state.concurrent, 1);
    ASSERT_TRUE(state.trusted);
    EXPECT_LE(state.trusted->median_low_ms, state.trusted->median_ms);
    EXPECT_GE(state.trusted->median_high_ms, state.trusted->median_ms);
    std::int64_t covered = 0;
    for (const TimingPhase& phase : state.phases) covered += phase.range.count;
    EXPECT_EQ(covered, state.sample_count);
  }
}

TEST(SteadyState, FindsTheBurstsOfARealFile) {
  PLANEX_NEED_TEST_DATA(data);
  const model::PlanModel model = test::must(test::load_engine(data, "mobilenet-titanrtx-qat"));
  const SteadyState state = find_steady_state(model).value();
  ASSERT_TRUE(state.spikes->period);
  EXPECT_NEAR(*state.spikes->period->ms, 601, 2);
  EXPECT_EQ(state.spikes->burst_count, 5);
  ASSERT_TRUE(state.spikes->inner_period);
  EXPECT_NEAR(*state.spikes->inner_period->ms, 2.15, 0.05);
}

}  // namespace
}  // namespace planex::analyze
