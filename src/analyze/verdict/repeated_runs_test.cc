#include "analyze/verdict/repeated_runs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace planex::analyze {
namespace {

MeasuredRun run_of(double median_ms, double low_ms, double high_ms) {
  MeasuredRun run;
  run.median_ms = median_ms;
  run.median_low_ms = low_ms;
  run.median_high_ms = high_ms;
  return run;
}

TEST(RepeatedRuns, FewGiveTheRangeOfWhatEachSays) {
  const MeasuredRun one = run_of(4, 3.9, 4.2), two = run_of(9, 8.5, 9.1);
  const std::vector<RepeatedRuns> things = {{&one, &two}};
  const RunSpread spread = spread_of(things);
  EXPECT_EQ(spread.freedom, 1);
  EXPECT_FALSE(spread.is_known());
  // Both are ln 1.5 away from their mean ln 6: s² = 2 (ln 1.5)² ÷ 1.
  EXPECT_DOUBLE_EQ(*spread.ratio, std::sqrt(2.0) * std::log(1.5));
  const RepeatedMedian median = repeated_median(things.front(), spread);
  EXPECT_DOUBLE_EQ(*median.median_ms, 6);
  EXPECT_EQ(median.low_ms, 3.9);
  EXPECT_EQ(median.high_ms, 9.1);
}

TEST(RepeatedRuns, ManyGiveAnIntervalFromTheirSpread) {
  const MeasuredRun low = run_of(1 / 1.1, 0.9, 0.92), high = run_of(1.1, 1.09, 1.12);
  const std::vector<RepeatedRuns> things(4, RepeatedRuns{&low, &high});
  const RunSpread spread = spread_of(things);
  EXPECT_EQ(spread.freedom, 4);
  ASSERT_TRUE(spread.is_known());
  // s² = 8 (ln 1.1)² ÷ 4; t of 4 degrees, 95 %: 2.7764.
  EXPECT_NEAR(spread.half_interval(), 2.7764 * std::sqrt(2.0) * std::log(1.1), 1e-4);
  const RepeatedMedian median = repeated_median(things.front(), spread);
  EXPECT_DOUBLE_EQ(*median.median_ms, 1);
  EXPECT_NEAR(*median.high_ms, std::exp(2.7764 * std::log(1.1)), 1e-4);
  EXPECT_NEAR(*median.low_ms * *median.high_ms, 1, 1e-12);
}

TEST(RepeatedRuns, OfNoRunNothingIsKnown) {
  const std::vector<RepeatedRuns> things(2);
  const RepeatedMedian median = repeated_median(things.front(), spread_of(things));
  EXPECT_FALSE(median.median_ms);
  EXPECT_FALSE(median.low_ms);
  // If one of the runs has no interval, there is none.
  MeasuredRun few;
  few.median_ms = 2;
  const RepeatedMedian of_few = repeated_median({&few}, {});
  EXPECT_DOUBLE_EQ(*of_few.median_ms, 2);
  EXPECT_FALSE(of_few.low_ms);
}

}  // namespace
}  // namespace planex::analyze
