#include "base/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace planex::base {
namespace {

// Values of numpy.percentile(x, [0, 10, 25, 50, 75, 90, 95, 99, 100]), NumPy 1.26.
TEST(Quantile, AgreesWithNumPy) {
  const std::vector<double> x = {0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0};
  const double ratios[] = {0, 0.10, 0.25, 0.50, 0.75, 0.90, 0.95, 0.99, 1};
  const double values[] = {0.5, 0.8, 1.5, 4.0, 12.0, 22.4, 27.2, 31.04, 32.0};
  for (std::size_t i = 0; i < std::size(ratios); ++i) {
    EXPECT_NEAR(quantile(x, ratios[i]), values[i], 1e-12) << ratios[i];
  }
}

TEST(Quantile, OfOneAndTwoSamples) {
  const std::vector<double> one = {3.25};
  for (const double ratio : {0.0, 0.5, 0.99, 1.0}) EXPECT_EQ(quantile(one, ratio), 3.25);
  const std::vector<double> two = {1, 2};
  EXPECT_EQ(quantile(two, 0.5), 1.5);
  EXPECT_EQ(quantile(two, 1.0), 2);
}

TEST(Quantile, StaysBetweenItsNeighbours) {
  std::vector<double> x;
  for (int i = 0; i < 101; ++i) x.push_back(std::sqrt(i));
  for (int i = 0; i <= 1000; ++i) {
    const double ratio = i / 1000.0;
    const double value = quantile(x, ratio);
    const auto below = static_cast<std::size_t>(std::floor(ratio * 100));
    EXPECT_GE(value, x[below]);
    EXPECT_LE(value, x[std::min<std::size_t>(below + 1, 100)]);
  }
}

TEST(SampleStatistics, SumsAndOrders) {
  const SampleStatistics odd = sample_statistics({3, 1, 2});
  EXPECT_EQ(odd.sum, 6);
  EXPECT_EQ(odd.mean, 2);
  EXPECT_EQ(odd.median, 2);
  EXPECT_EQ(odd.min, 1);
  EXPECT_EQ(odd.max, 3);
  EXPECT_EQ(sample_statistics({4, 1, 2, 3}).median, 2.5);
  EXPECT_EQ(sample_statistics({7}).median, 7);
}

}  // namespace
}  // namespace planex::base
