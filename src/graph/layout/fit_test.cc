#include "graph/layout/fit.h"

#include <gtest/gtest.h>

#include <random>

namespace planex::graph::layout {
namespace {

TEST(Fitter, GivesEachItsWishWhereThereIsRoom) {
  std::vector<Wish> line = {{0, 1, 0}, {10, 1, 5}, {30, 1, 5}};
  Fitter().fit(line);
  EXPECT_EQ(line[0].place, 0);
  EXPECT_EQ(line[1].place, 10);
  EXPECT_EQ(line[2].place, 30);
}

TEST(Fitter, MovesThoseThatAreInOneAnothersWayByWeight) {
  std::vector<Wish> line = {{0, 3, 0}, {0, 1, 8}};
  Fitter().fit(line);
  EXPECT_DOUBLE_EQ(line[0].place, -2);
  EXPECT_DOUBLE_EQ(line[1].place, 6);
}

TEST(Fitter, StaysWithinItsBounds) {
  std::vector<Wish> line = {{-50, 1, 0}, {70, 1, 10}};
  Fitter().fit(line, 0, 40);
  EXPECT_EQ(line[0].place, 0);
  EXPECT_EQ(line[1].place, 40);
}

TEST(Fitter, KeepsDistancesWhateverIsWished) {
  std::mt19937_64 random(1);
  Fitter fitter;
  for (int round = 0; round < 200; ++round) {
    std::vector<Wish> line(1 + random() % 50);
    for (Wish& wish : line) {
      wish = {static_cast<double>(random() % 100), 1.0 + static_cast<double>(random() % 9),
              static_cast<double>(random() % 10)};
    }
    fitter.fit(line);
    for (std::size_t i = 1; i < line.size(); ++i) {
      ASSERT_GE(line[i].place - line[i - 1].place, line[i].distance - 1e-9);
    }
  }
}

}  // namespace
}  // namespace planex::graph::layout
