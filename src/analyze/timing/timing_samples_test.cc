#include "analyze/timing/timing_samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

constexpr double kNull = std::numeric_limits<double>::quiet_NaN();

class Times {
 public:
  void add(double start_ms, double compute_ms, double latency_ms = kNull, double enqueue_ms = kNull,
           double h2d_ms = kNull) {
    const std::size_t row = table().add_row();
    const auto set = [&](model::Real& column, double value) {
      if (!std::isnan(value)) column.set(row, value);
    };
    set(table().start_ms, start_ms);
    set(table().compute_ms, compute_ms);
    set(table().latency_ms, latency_ms);
    set(table().enqueue_ms, enqueue_ms);
    set(table().h2d_ms, h2d_ms);
  }

  TimingSamples samples() {
    const model::PlanModel model = builder_.finish();
    return timing_samples(model, find_steady_state(model));
  }

 private:
  model::IterationsTable& table() { return builder_.model().iterations; }
  model::ModelBuilder builder_;
};

std::int64_t counted(const SampleBins& bins) {
  return std::accumulate(bins.counts.begin(), bins.counts.end(), bins.below + bins.above);
}

TEST(TimingSamples, AreInTheOrderOfTheirStart) {
  Times times;
  times.add(20, 3);
  times.add(10, 1);
  times.add(30.0004567, 2);
  const TimingSamples samples = times.samples();
  EXPECT_EQ(samples.sample_count, 3);
  ASSERT_EQ(samples.fields.size(), 1U);
  const FieldSamples& field = samples.fields[0];
  EXPECT_EQ(field.field, "compute");
  EXPECT_TRUE(field.is_end_to_end);
  EXPECT_EQ(field.buckets.first, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(field.buckets.min_ms, (std::vector<double>{1, 3, 2}));
  EXPECT_EQ(field.buckets.max_ms, field.buckets.min_ms);
  // All three are within each other's window.
  EXPECT_EQ(field.buckets.running_ms, (std::vector<double>{2, 2, 2}));
  EXPECT_EQ(field.buckets.start_ms, (std::vector<double>{0, 10, 20}));
  EXPECT_EQ(field.all->median_ms, 2);
  EXPECT_EQ(field.all->mean_ms, 2);
  EXPECT_EQ(field.all->max_ms, 3);
  EXPECT_FALSE(field.trusted);  // too few
  EXPECT_FALSE(field.bins);
}

TEST(TimingSamples, WithoutEveryStartHaveNone) {
  Times times;
  times.add(20, 3);
  times.add(kNull, 1);
  const TimingSamples samples = times.samples();
  EXPECT_EQ(samples.fields[0].buckets.min_ms, (std::vector<double>{3, 1}));
  EXPECT_TRUE(samples.fields[0].buckets.start_ms.empty());
}

// 100 000 samples are 2000 parts of 50.
TEST(TimingSamples, LoseNoSpike) {
  Times times;
  for (int i = 0; i < 100'000; ++i) {
    times.add(i, i == 77'777 ? 9 : i % 2 == 0 ? 1.0 : 1.002);
  }
  const TimingSamples samples = times.samples();
  const SampleBuckets& buckets = samples.fields[0].buckets;
  ASSERT_EQ(buckets.first.size(), kMaxBuckets);
  EXPECT_EQ(buckets.first[1], 50);
  EXPECT_EQ(buckets.first.back(), 99'950);
  EXPECT_EQ(std::ranges::count(buckets.max_ms, 9), 1);
  EXPECT_EQ(buckets.max_ms[77'777 / 50], 9);
  EXPECT_EQ(std::ranges::count(buckets.max_ms, 1.002), 1999);
  EXPECT_EQ(std::ranges::count(buckets.min_ms, 1), 2000);
  // An equal number of both in every window; the spike was a slow one.
  EXPECT_EQ(std::ranges::count(buckets.running_ms, 1.001), 2000);
  EXPECT_EQ(buckets.start_ms[1], 50);
}

TEST(TimingSamples, SaysWhichFieldsAreTheSame) {
  Times times;
  for (int i = 0; i < 40; ++i) {
    const double ms = 1 + 0.01 * (i % 5);
    times.add(2 * i, ms, ms, 0.1 + 0.001 * (i % 3), 0);
  }
  const TimingSamples samples = times.samples();
  ASSERT_EQ(samples.fields.size(), 4U);
  EXPECT_EQ(samples.fields[0].field, "compute");
  EXPECT_EQ(samples.fields[1].field, "latency");
  EXPECT_EQ(samples.fields[1].same_as, "compute");
  EXPECT_TRUE(samples.fields[1].buckets.first.empty());
  EXPECT_EQ(samples.fields[1].all->median_ms, 1.02);
  EXPECT_EQ(samples.fields[2].field, "enqueue");
  EXPECT_TRUE(samples.fields[2].same_as.empty());
  EXPECT_TRUE(samples.fields[2].bins);
  // Nothing was transferred: that is a measurement, and there is nothing to distribute.
  EXPECT_EQ(samples.fields[3].field, "h2d");
  EXPECT_EQ(samples.fields[3].all->max_ms, 0);
  EXPECT_FALSE(samples.fields[3].bins);
}

TEST(TimingSamples, LeaveOutWhatIsNoTime) {
  Times times;
  for (int i = 0; i < 20; ++i) times.add(i, i == 3 ? -1 : i == 4 ? 0 : i == 5 ? 1e300 : 1 + i);
  const FieldSamples field = times.samples().fields[0];
  EXPECT_EQ(field.all->count, 17);
  EXPECT_EQ(field.all->min_ms, 1);
  EXPECT_TRUE(std::isnan(field.buckets.min_ms[3]));
  EXPECT_TRUE(std::isnan(field.buckets.max_ms[5]));
  EXPECT_EQ(field.buckets.first[6], 6);
}

// Times that are multiples of NVIDIA's 1.024 us except for the rounding of differences in single
// precision: one bin per tick, and no tick on an edge.
TEST(TimingSamples, BinsAreTicksOfTheClock) {
  Times times;
  std::vector<std::int64_t> expected(10, 0);
  for (int i = 0; i < 1000; ++i) {
    const int tick = (i * 7) % 10;
    const double rounding = 0.00005 * ((i % 5) - 2);
    times.add(i, 1.024e-3 * (900 + tick) + rounding);
    ++expected[static_cast<std::size_t>(tick)];
  }
  const FieldSamples field = times.samples().fields[0];
  ASSERT_TRUE(field.step_ms && field.bins);
  EXPECT_EQ(*field.step_ms, 1.024e-3);
  EXPECT_DOUBLE_EQ(field.bins->step_ms, 1.024e-3);
  EXPECT_NEAR(field.bins->start_ms, 1.024e-3 * 899.5, 1e-9);
  EXPECT_EQ(field.bins->counts, expected);
  EXPECT_EQ(field.bins->below + field.bins->above, 0);
}

TEST(TimingSamples, BinsAreMultiplesOfTheStepWhereTheRangeIsWide) {
  Times times;
  for (int i = 0; i < 1000; ++i) times.add(i, 1.024e-3 * (900 + (i * 7) % 500));
  const FieldSamples field = times.samples().fields[0];
  // 499 ticks in 118 bins: five per bin.
  EXPECT_DOUBLE_EQ(field.bins->step_ms, 5 * 1.024e-3);
  EXPECT_LE(field.bins->counts.size(), kMaxBins);
  EXPECT_EQ(counted(*field.bins), 1000);
}

TEST(TimingSamples, BinsAreRoundWhereTheStepIsThatOfDecimals) {
  Times times;
  for (int i = 0; i < 3000; ++i) times.add(i, 79.85 + 0.01 * ((i * 7) % 300));
  const FieldSamples field = times.samples().fields[0];
  EXPECT_EQ(field.step_ms, 0.01);
  // 2.99 ms in 118 bins: 0.02 ms is too narrow. Every bin contains five of the 300 values.
  EXPECT_DOUBLE_EQ(field.bins->step_ms, 0.05);
  EXPECT_NEAR(field.bins->start_ms, 79.845, 1e-9);
  EXPECT_EQ(field.bins->counts, std::vector<std::int64_t>(60, 50));
}

TEST(TimingSamples, OutliersStandBesideTheBins) {
  Times times;
  for (int i = 0; i < 1000; ++i) {
    times.add(i, i == 500 ? 50 : i == 501 ? 0.1 : 10 + 0.01 * (i % 20));
  }
  const FieldSamples field = times.samples().fields[0];
  ASSERT_TRUE(field.bins);
  EXPECT_EQ(field.bins->below, 1);
  EXPECT_EQ(field.bins->above, 1);
  EXPECT_EQ(counted(*field.bins), 1000);
  EXPECT_NEAR(field.bins->start_ms, 10, 0.02);
}

// 940 samples of 10 to 10.19 ms, and 60 evenly up to 16.
TEST(TimingSamples, AMiddleThatIsSmallHasBinsOfItsOwn) {
  Times times;
  for (int i = 0; i < 1000; ++i) {
    times.add(i, i % 100 < 94 ? 10 + 0.01 * (i % 20) : 10.2 + 0.1 * (i / 100 * 6 + i % 100 - 94));
  }
  const FieldSamples field = times.samples().fields[0];
  ASSERT_TRUE(field.bins && field.middle_bins);
  EXPECT_DOUBLE_EQ(field.bins->step_ms, 0.1);
  EXPECT_EQ(field.bins->above, 0);
  // Up to the 95th percentile: some 1.2 ms, in finer bins.
  EXPECT_LT(field.middle_bins->step_ms, 0.05);
  EXPECT_GT(field.middle_bins->above, 30);
  EXPECT_LT(field.middle_bins->above, 70);
  EXPECT_EQ(counted(*field.middle_bins), 1000);
  // Where all are of one kind, there is only one picture.
  Times even;
  for (int i = 0; i < 1000; ++i) even.add(i, 10 + 0.01 * (i % 20));
  EXPECT_FALSE(even.samples().fields[0].middle_bins);
}

TEST(TimingSamples, AreNoneWithoutTimes) {
  const model::PlanModel model = model::ModelBuilder().finish();
  EXPECT_TRUE(timing_samples(model, find_steady_state(model)).fields.empty());
}

// The figures are those of the verdict, and the bins contain all samples after the warm-up.
TEST(TimingSamples, AgreeWithTheVerdictOnRealFiles) {
  PLANEX_NEED_TEST_DATA(data);
  for (const char* name : {"resnet18-a100-qat", "resnet18-a100-fp32", "mobilenet-titanrtx-qat",
                           "resnet18-trt10-fp16", "resnet50-rtx3090-fp32"}) {
    SCOPED_TRACE(name);
    const model::PlanModel model = test::must(test::load_engine(data, name));
    const auto state = find_steady_state(model);
    ASSERT_TRUE(state && state->trusted);
    const TimingSamples samples = timing_samples(model, state);
    const FieldSamples& field = samples.fields.front();
    EXPECT_EQ(field.all->count, state->sample_count);
    EXPECT_EQ(field.trusted->count, state->trusted->range.count);
    EXPECT_EQ(field.trusted->median_ms, state->trusted->median_ms);
    EXPECT_EQ(field.trusted->p99_ms, state->trusted->p99_ms);
    EXPECT_EQ(field.trusted->max_ms, state->trusted->max_ms);
    const std::int64_t warm_up = state->warm_up ? state->warm_up->range.count : 0;
    EXPECT_EQ(counted(*field.bins), state->sample_count - warm_up);
    for (std::size_t i = 0; i < field.bins->counts.size(); ++i) {
      EXPECT_LE(field.bins->trusted[i], field.bins->counts[i]);
    }
    const auto trusted =
        std::accumulate(field.bins->trusted.begin(), field.bins->trusted.end(), std::int64_t{0});
    EXPECT_LE(trusted, state->trusted->range.count);
    EXPECT_GE(static_cast<double>(trusted), 0.98 * static_cast<double>(field.trusted->count));
    EXPECT_EQ(std::ranges::max(field.buckets.max_ms), field.all->max_ms);
    EXPECT_EQ(std::ranges::min(field.buckets.min_ms), field.all->min_ms);
  }
}

}  // namespace
}  // namespace planex::analyze
