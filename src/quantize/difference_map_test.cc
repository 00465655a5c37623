#include "quantize/difference_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <vector>

namespace planex::quantize {
namespace {

using testing::ElementsAre;

TEST(PlanesOf, LastTwoAxesAreAPicture) {
  const auto planes = planes_of({1, 8, 4, 6});
  ASSERT_TRUE(planes);
  EXPECT_EQ(planes->channels, 8u);
  EXPECT_EQ(planes->height, 4u);
  EXPECT_EQ(planes->width, 6u);
  // Only the first of a batch.
  EXPECT_EQ(planes_of({5, 8, 4, 6})->channels, 8u);
  EXPECT_EQ(planes_of({3, 4, 6})->channels, 3u);
  EXPECT_EQ(planes_of({2, 3, 4, 5, 6})->channels, 12u);
  EXPECT_FALSE(planes_of({4, 6}));
  EXPECT_FALSE(planes_of({1, 8, 1, 6}));
  EXPECT_FALSE(planes_of({1, 8, 4, 1}));
  EXPECT_FALSE(planes_of({1, 0, 4, 6}));
  EXPECT_FALSE(planes_of({1, std::int64_t{1} << 40, 2, 2}));
}

TEST(DifferenceMap, IsTheMeanOverChannels) {
  const std::vector<float> reference = {1, 2, 3, 4, 1, 1, 1, 1};
  const std::vector<float> subject = {1, 2, 3, 4, 3, 1, 0, 1};
  const Planes planes{.channels = 2, .height = 2, .width = 2};
  const auto map = difference_map(reference, subject, planes);
  ASSERT_TRUE(map);
  // Means 1, 0, 0.5, 0.
  EXPECT_DOUBLE_EQ(map->step, 1.0 / 255);
  EXPECT_THAT(map->cells, ElementsAre(255, 0, 128, 0));
  const auto own = difference_map(reference, {}, planes);
  // Means 1, 1.5, 2, 2.5.
  EXPECT_DOUBLE_EQ(own->step, 2.5 / 255);
  EXPECT_THAT(own->cells, ElementsAre(102, 153, 204, 255));
}

TEST(DifferenceMap, IsNoLargerThanItsSide) {
  const Planes planes{.channels = 1, .height = 100, .width = 3};
  std::vector<float> reference(300, 0);
  std::vector<float> subject(300, 0);
  // The last row is in the last cells, whatever the step between rows.
  for (std::size_t x = 0; x < 3; ++x) subject[297 + x] = 4;
  const auto map = difference_map(reference, subject, planes);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->height, kMapSide);
  EXPECT_EQ(map->width, 3u);
  EXPECT_EQ(map->cells.size(), kMapSide * 3);
  EXPECT_EQ(map->cells.back(), 255);
  EXPECT_EQ(std::accumulate(map->cells.begin(), map->cells.end() - 3, std::int64_t{0}), 0);
}

TEST(DifferenceMap, OfEqualTensorsIsZero) {
  const std::vector<float> values = {1, 2, 3, 4};
  const auto map = difference_map(values, values, {.channels = 1, .height = 2, .width = 2});
  ASSERT_TRUE(map);
  EXPECT_EQ(map->step, 0);
  EXPECT_THAT(map->cells, ElementsAre(0, 0, 0, 0));
}

TEST(DifferenceMap, ThereIsNoneOfWhatIsNotFinite) {
  const std::vector<float> reference = {1, 2, 3, 4};
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const std::vector<float> subject = {1, 2, bad, 4};
    const Planes planes{.channels = 1, .height = 2, .width = 2};
    EXPECT_FALSE(difference_map(reference, subject, planes));
    EXPECT_FALSE(difference_map(subject, {}, planes));
  }
}

}  // namespace
}  // namespace planex::quantize
