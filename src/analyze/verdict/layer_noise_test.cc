#include "analyze/verdict/layer_noise.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "analyze/verdict/verdict_test_series.h"
#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using model::LayerId;

struct Times {
  double mean_ms = 0;
  std::optional<double> median_ms, min_ms, max_ms;
  std::optional<std::int64_t> count;
};

LayerNoise noise_of(const std::vector<Times>& layers, const char* producer = "tensorrt",
                    const GateOptions& options = {}) {
  model::ModelBuilder builder;
  model::PlanModel& model = builder.model();
  model.engine.add_row();
  model.engine.producer.set(0, builder.strings().intern(producer));
  for (const Times& times : layers) {
    const std::size_t row = model.layers.add_row();
    model.layers.role.set(row, model::Role::kWork);
    model.layers.mean_ms.set(row, times.mean_ms);
    if (times.median_ms) model.layers.median_ms.set(row, *times.median_ms);
    if (times.min_ms) model.layers.min_ms.set(row, *times.min_ms);
    if (times.max_ms) model.layers.max_ms.set(row, *times.max_ms);
    if (times.count) model.layers.count.set(row, *times.count);
  }
  return LayerNoises(builder.finish(), options).of(LayerId(0));
}

LayerNoise known(double time_ms, double error_ms) {
  return {.time_ms = time_ms, .error_ms = error_ms, .source = NoiseSource::kSpread};
}

// Layers whose times differ by the given microseconds.
std::vector<UnchangedLayer> unchanged(std::initializer_list<double> differences_us,
                                      std::optional<double> error_ms) {
  std::vector<UnchangedLayer> layers;
  for (const double us : differences_us) {
    layers.push_back({.a_ms = 0.1, .b_ms = 0.1 + us / 1000, .error_ms = error_ms});
  }
  return layers;
}

LayerChange change_of(const LayerNoise& a, const LayerNoise& b) {
  return layer_change(std::span(&a, 1), std::span(&b, 1));
}

TEST(LayerNoise, OfAMeanAloneIsNotKnown) {
  const LayerNoise noise = noise_of({{.mean_ms = 0.1}});
  EXPECT_EQ(noise.time_ms, 0.1);
  EXPECT_FALSE(noise.error_ms);
  EXPECT_EQ(noise.source, NoiseSource::kNone);
  const LayerChange change = change_of(noise, known(5, 0.1));
  EXPECT_NEAR(*change.change_ms, 4.9, 1e-12);
  EXPECT_EQ(change.changed, Changed::kUnknown);
  EXPECT_FALSE(change.low_ms);
  EXPECT_FALSE(change.p_value);
  EXPECT_EQ(change.source, NoiseSource::kNone);
}

// Of 100 normal samples the least is expected Φ⁻¹((1 − 0.375) ÷ 100.25) = 2.499 deviations below
// the middle: 0.02499 below is a deviation of 0.01. 1.2533 · 0.01 ÷ √10 (10 independent ones of
// 100) = 0.0039633; the assumed spread of runs is 0.003 · 1.
TEST(LayerNoise, OfASpreadIsFromItsLowerHalf) {
  const LayerNoise noise = noise_of(
      {{.mean_ms = 1.1, .median_ms = 1, .min_ms = 1 - 0.02499, .max_ms = 9, .count = 100}});
  EXPECT_EQ(noise.source, NoiseSource::kSpread);
  EXPECT_NEAR(*noise.error_ms, std::hypot(0.0039633, 0.003), 2e-6);
}

// 1.2533 · 0.02 ÷ √√10 000 = 0.0025066.
TEST(LayerNoise, OfMeanAndMedianIsALowerBound) {
  const LayerNoise noise = noise_of({{.mean_ms = 1.02, .median_ms = 1, .count = 10'000}},
                                    "tensorrt", {.assumed_run_spread_ratio = 0});
  EXPECT_EQ(noise.source, NoiseSource::kMeanAndMedian);
  EXPECT_NEAR(*noise.error_ms, 0.0025066, 1e-9);
}

// Ten layers of whole steps of 1.024 µs: 1.024 ÷ 1.959964 = 0.522459 µs.
TEST(LayerNoise, OfATimerIsItsStep) {
  std::vector<Times> layers;
  for (int i = 10; i < 20; ++i)
    layers.push_back({.mean_ms = 0.001024 * i, .median_ms = 0.001024 * i});
  const LayerNoise noise = noise_of(layers, "tensorrt", {.assumed_run_spread_ratio = 0});
  EXPECT_EQ(noise.source, NoiseSource::kProfilerStep);
  EXPECT_NEAR(*noise.error_ms, 0.000522459, 1e-9);
  // One step is noise, three are not.
  const LayerNoise next = {*noise.time_ms + 0.001024, noise.error_ms, noise.source};
  const LayerNoise third = {*noise.time_ms + 0.003072, noise.error_ms, noise.source};
  EXPECT_EQ(change_of(noise, next).changed, Changed::kNo);
  EXPECT_EQ(change_of(noise, third).changed, Changed::kYes);
}

TEST(LayerNoise, OfWholeMicrosecondsIsOne) {
  const LayerNoise noise =
      noise_of({{.mean_ms = 0.017}}, "openvino", {.assumed_run_spread_ratio = 0});
  EXPECT_EQ(noise.source, NoiseSource::kWholeMicroseconds);
  EXPECT_NEAR(*noise.error_ms, 0.001 / 1.959964, 1e-9);
}

TEST(LayerChange, IsThatOfSums) {
  const std::array a = {known(1, 0.3), known(2, 0.4)};
  const std::array b = {known(5, 1.2)};
  const LayerChange change = layer_change(a, b);
  EXPECT_NEAR(*change.change_ms, 2, 1e-12);
  EXPECT_NEAR(*change.change_ratio, 2.0 / 3, 1e-12);
  // √(0.09 + 0.16 + 1.44) = 1.3, times 1.959964; z = 2 ÷ 1.3: p = 0.12393.
  EXPECT_NEAR(*change.low_ms, 2 - 1.3 * 1.959964, 1e-6);
  EXPECT_NEAR(*change.high_ms, 2 + 1.3 * 1.959964, 1e-6);
  EXPECT_NEAR(*change.p_value, 0.12393, 1e-4);
  EXPECT_EQ(change.changed, Changed::kNo);
}

TEST(LayerChange, OfALayerThatCameOrWentIsReal) {
  const std::array layer = {known(1, 10)};
  for (const LayerChange& change : {layer_change(layer, {}), layer_change({}, layer)}) {
    EXPECT_EQ(change.changed, Changed::kYes);
    EXPECT_EQ(std::abs(*change.change_ms), 1);
    EXPECT_FALSE(change.p_value);
  }
}

// Benjamini & Hochberg's (1995) own example: of their 15 p-values, 4 are rejected at 0.05.
TEST(FalseDiscovery, IsThatOfBenjaminiAndHochberg) {
  const double p_values[] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                             0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  std::vector<LayerChange> changes;
  for (const double p : p_values) changes.push_back({.p_value = p});
  changes.push_back({});
  std::ranges::reverse(changes);
  control_false_discovery(changes, 0.05);
  int real = 0;
  for (const LayerChange& change : changes) {
    EXPECT_EQ(change.changed == Changed::kUnknown, !change.p_value.has_value());
    if (change.changed != Changed::kYes) continue;
    ++real;
    EXPECT_LE(*change.p_value, 0.0095);
  }
  EXPECT_EQ(real, 4);
}

// Layers of 200 engines without a change: few engines call any layer changed.
TEST(FalseDiscovery, KeepsNoiseQuiet) {
  Noise noise(7);
  int alarms = 0;
  for (int engine = 0; engine < 200; ++engine) {
    std::vector<LayerChange> changes;
    for (int layer = 0; layer < 100; ++layer) {
      changes.push_back(change_of(known(1 + 0.01 * noise.normal(), 0.01),
                                  known(1 + 0.01 * noise.normal(), 0.01)));
    }
    control_false_discovery(changes);
    alarms += std::ranges::any_of(
                  changes, [](const LayerChange& one) { return one.changed == Changed::kYes; })
                  ? 1
                  : 0;
  }
  EXPECT_LE(alarms, 20);
}

// The A100's profiler ticks by 1.024 µs: 0.52 µs, and what runs differ by.
TEST(LayerNoise, OfRealEnginesIsAStep) {
  PLANEX_NEED_TEST_DATA(data);
  const model::PlanModel model = test::must(test::load_engine(data, "resnet18-a100-qat-residual"));
  const LayerNoises noises(model);
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const LayerNoise& noise = noises.of(LayerId(row));
    if (!noise.time_ms) continue;
    ASSERT_TRUE(noise.error_ms);
    EXPECT_GT(*noise.error_ms, 0.0005);
    EXPECT_LT(*noise.error_ms, 0.0015) << row;
  }
}

TEST(UnchangedLayers, ScatterAroundWhatIsCommonToThem) {
  // All of them are 10 us slower: that is not noise. Around it they scatter by 2 us.
  const auto scatter = scatter_of(unchanged({8, 12, 8, 12, 8, 12, 10}, 0.001));
  ASSERT_TRUE(scatter);
  EXPECT_EQ(scatter->count, 7);
  EXPECT_NEAR(scatter->shift_ratio, 0.0952, 0.0005);
  EXPECT_NEAR(scatter->scatter_ms, 0.002 * 1.4826, 0.0003);
  EXPECT_NEAR(*scatter->scatter_errors, 2 * 1.4826, 0.3);
}

TEST(UnchangedLayers, SayNothingWhereTheyAreFew) {
  EXPECT_FALSE(scatter_of(unchanged({1, 2, 3, 4, 5}, 0.001)));
  EXPECT_FALSE(scatter_of({}));
}

TEST(UnchangedLayers, TakeAwayWhatTheyShowToBeNoise) {
  // By its own samples, 3 us is a change; unchanged layers change by as much.
  LayerChange change = change_of(known(0.100, 0.0005), known(0.103, 0.0005));
  ASSERT_EQ(change.changed, Changed::kYes);
  const auto scatter = scatter_of(unchanged({-2, 2, -3, 3, -2, 2, 0}, *change.error_ms));
  widen(change, 0.1, *scatter);
  EXPECT_EQ(change.changed, Changed::kNo);
  EXPECT_EQ(change.source, NoiseSource::kUnchangedPairs);
  EXPECT_LT(*change.low_ms, 0);
  EXPECT_GT(*change.high_ms, 0.006);
  // One of 30 us remains.
  LayerChange large = change_of(known(0.100, 0.0005), known(0.130, 0.0005));
  widen(large, 0.1, *scatter);
  EXPECT_EQ(large.changed, Changed::kYes);
}

TEST(UnchangedLayers, NeverMakeAChangeSurer) {
  const LayerChange before = change_of(known(0.100, 0.0005), known(0.101, 0.0005));
  LayerChange after = before;
  widen(after, 0.1, *scatter_of(unchanged({0, 0, 0, 0, 0, 0, 0}, 0.001)));
  EXPECT_EQ(after.low_ms, before.low_ms);
  EXPECT_EQ(after.source, before.source);
}

TEST(UnchangedLayers, TellOfNoiseWhereFilesDoNot) {
  const LayerNoise mean_alone = {.time_ms = 0.1, .source = NoiseSource::kNone};
  const LayerNoise slower = {.time_ms = 0.15, .source = NoiseSource::kNone};
  LayerChange change = change_of(mean_alone, slower);
  ASSERT_EQ(change.changed, Changed::kUnknown);
  widen(change, 0.125, *scatter_of(unchanged({-2, 2, -3, 3, -2, 2, 0}, std::nullopt)));
  EXPECT_EQ(change.changed, Changed::kYes);
  EXPECT_EQ(change.source, NoiseSource::kUnchangedPairs);
}

}  // namespace
}  // namespace planex::analyze
