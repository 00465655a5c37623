#include "analyze/timing/exact_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace planex::analyze {
namespace {

using testing::ElementsAre;
using Weights = std::vector<std::int64_t>;

TEST(ExactTime, IsInFemtoseconds) {
  EXPECT_EQ(femtoseconds(0.201728), 201'728'000'000);
  EXPECT_EQ(femtoseconds(0), 0);
  EXPECT_EQ(femtoseconds(-1.5), -1'500'000'000'000);
  EXPECT_EQ(milliseconds(Femtoseconds{201'728'000'000}), 0.201728);
  EXPECT_EQ(femtoseconds(1e300), std::nullopt);
  EXPECT_EQ(femtoseconds(std::nan("")), std::nullopt);
  EXPECT_EQ(femtoseconds(std::numeric_limits<double>::infinity()), std::nullopt);
}

TEST(Split, GivesTheLargestRemaindersTheRest) {
  // 10/7, 20/7, 40/7: 1.43, 2.86, 5.71; two are left, for 0.86 and 0.71.
  EXPECT_THAT(split(10, Weights{1, 2, 4}), ElementsAre(1, 3, 6));
  EXPECT_THAT(split(-10, Weights{1, 2, 4}), ElementsAre(-1, -3, -6));
  EXPECT_THAT(split(10, Weights{0, 5, 0}), ElementsAre(0, 10, 0));
  EXPECT_THAT(split(5, Weights{1, 1}), ElementsAre(3, 2)) << "of equals the first";
  EXPECT_THAT(split(5, Weights{0, 0, 0}), ElementsAre(2, 2, 1)) << "even";
  EXPECT_THAT(split(7, Weights{}), ElementsAre());
}

TEST(Split, ClosesForAnyWeights) {
  std::mt19937_64 random(20260117);
  for (int round = 0; round < 2'000; ++round) {
    const auto whole = static_cast<std::int64_t>(random() >> (random() % 63 + 1));
    Weights weights(random() % 40 + 1);
    for (std::int64_t& weight : weights) {
      weight = static_cast<std::int64_t>(random() >> (random() % 63 + 1));
    }
    if (round % 10 == 0) weights[0] = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t sign : {1, -1}) {
      const auto parts = split(sign * whole, weights);
      ASSERT_EQ(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}), sign * whole);
      const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
      for (std::size_t i = 0; i < parts.size() && sum > 0; ++i) {
        const double exact = static_cast<double>(whole) * (static_cast<double>(weights[i]) / sum);
        ASSERT_NEAR(static_cast<double>(sign * parts[i]), exact, 1 + exact * 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace planex::analyze
