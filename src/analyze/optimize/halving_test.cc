// Successive halving, with numbers worked out by hand.
#include "analyze/optimize/halving.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace planex::analyze {
namespace {

using Places = std::vector<std::size_t>;

Places all(std::size_t count) {
  Places places(count);
  std::iota(places.begin(), places.end(), 0U);
  return places;
}

TEST(Halving, ADriftBetweenTheRunsOfTheBestDoesNotCount) {
  // The clock falls by 4 % from one run of the best to the next, and nothing else differs.
  const double before = 10, after = 10 * 1.04;
  for (const double share : {1.0 / 3, 2.0 / 3}) {
    const double candidate = before * std::pow(1.04, share);
    EXPECT_NEAR(*paired_log(before, after, share, candidate), 0, 1e-12);
    EXPECT_NEAR(*paired_log(before, after, share, candidate * 0.9), std::log(0.9), 1e-12);
  }
  EXPECT_FALSE(paired_log(before, after, 0.5, std::nullopt));
  EXPECT_FALSE(paired_log(before, 0, 0.5, 10));
}

TEST(Halving, TheNoiseIsThatOfTheMiddle) {
  // Distances to the middle, 0.00: 0.01 0.01 0.02 0.02 0.08 0.00 0.03; their middle is 0.02.
  const std::vector<PairedLogs> candidates = {{-0.01}, {0.01}, {-0.02}, {0.02},
                                              {-0.08}, {0.0},  {0.03}};
  EXPECT_NEAR(*paired_noise(candidates), 1.4826 * 0.02, 1e-12);
  EXPECT_FALSE(paired_noise(std::span(candidates).first(5)));
}

TEST(Halving, TheBetterHalfStaysFastestFirst) {
  const std::vector<PairedLogs> candidates = {{0.01},  {-0.08}, {0.0},   {0.02},
                                              {-0.01}, {},      {-0.02}, {0.01}};
  EXPECT_EQ(better_half(candidates, all(8)), (Places{1, 6, 4, 2}));
  // Of these alone.
  EXPECT_EQ(better_half(candidates, Places{0, 2, 3, 4}), (Places{4, 2}));
}

TEST(Halving, ACrowdThatIsClearlyFasterIsNotCut) {
  // Five of eight gain 20 %; the noise of the others is small.
  std::vector<PairedLogs> candidates = {{0.0},   {0.01}, {-0.01}, {0.01}, {-0.005},
                                        {0.005}, {-0.2}, {-0.21}, {-0.2}};
  EXPECT_EQ(better_half(candidates, Places{6, 7, 8}), (Places{7, 6, 8}));
  EXPECT_EQ(better_half(candidates, Places{0, 1, 8}), (Places{8, 0}));
}

TEST(Halving, WhatIsClearlySlowerGoesFromEitherHalf) {
  const std::vector<PairedLogs> candidates = {{0.0},   {0.01},  {-0.01}, {0.01},
                                              {-0.01}, {0.005}, {0.3},   {0.4}};
  EXPECT_EQ(better_half(candidates, Places{6, 7}), Places{});
}

TEST(Halving, OnlyWhatSeemsFasterIsRaced) {
  const std::vector<PairedLogs> candidates = {{0.01, -0.005}, {-0.04, -0.05}, {-0.01, 0.0}};
  EXPECT_EQ(worth_a_race(candidates, all(3)), (Places{1, 2}));
  EXPECT_NEAR(*mean_change_ratio(candidates[1]), std::exp(-0.045) - 1, 1e-12);
  EXPECT_FALSE(mean_change_ratio({}));
}

}  // namespace
}  // namespace planex::analyze
