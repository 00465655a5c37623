#include "quantize/front.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

namespace planex::quantize {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Score of_db(double db) { return {.sqnr_db = db}; }

TEST(Goal, IsReadAndWritten) {
  for (const char* text : {"20dB", "20 dB", "20db"}) {
    const auto goal = parse_goal(text);
    ASSERT_TRUE(goal.has_value()) << text;
    EXPECT_EQ(goal->kind, Goal::Kind::kSqnr);
    EXPECT_EQ(goal->least, 20);
    EXPECT_EQ(to_string(*goal), "20 dB");
    EXPECT_EQ(goal_word(*goal), "20dB");
    EXPECT_FALSE(goal->is_of_outputs);
  }
  for (const char* text : {"top1=99%", "top1=0.99", "top1=99 %"}) {
    const auto goal = parse_goal(text);
    ASSERT_TRUE(goal.has_value()) << text;
    EXPECT_EQ(goal->kind, Goal::Kind::kTop1);
    EXPECT_DOUBLE_EQ(goal->least, 0.99);
    EXPECT_EQ(to_string(*goal), "top1=99%");
    EXPECT_EQ(goal_word(*goal), "top1=99%");
  }
  const auto returned = parse_goal("outputs=20 dB");
  ASSERT_TRUE(returned.has_value());
  EXPECT_TRUE(returned->is_of_outputs);
  EXPECT_EQ(to_string(*returned), "20 dB of the outputs");
  EXPECT_EQ(goal_word(*returned), "outputs=20dB");
  for (const char* text : {"", "20", "dB", "outputs=", "outputs=top1=99%", "outputs=dB", "top1=",
                           "top1=0%", "top1=101%", "nandB", "top1=99", "top5=9%", "1e999dB"}) {
    const auto goal = parse_goal(text);
    ASSERT_FALSE(goal.has_value()) << text;
    EXPECT_EQ(goal.error().code, ErrorCode::kUsage);
  }
}

TEST(Score, IsComparedByTheGoal) {
  const Score near{.sqnr_db = 30, .top1_count = 8, .row_count = 10};
  const Score right{.sqnr_db = 20, .top1_count = 9, .row_count = 10};
  EXPECT_TRUE(is_better(Goal::Kind::kSqnr, near, right));
  EXPECT_TRUE(is_better(Goal::Kind::kTop1, right, near));
  EXPECT_FALSE(is_better(Goal::Kind::kTop1, near, near));
  EXPECT_TRUE(is_reached({Goal::Kind::kTop1, 0.9}, right));
  EXPECT_FALSE(is_reached({Goal::Kind::kTop1, 0.9}, near));
  EXPECT_FALSE(is_reached({Goal::Kind::kTop1, 0.1}, of_db(90))) << "the model has no classes";
  EXPECT_EQ(noise_ratio(of_db(kInfinity)), 0);
  EXPECT_EQ(noise_ratio(of_db(-kInfinity)), kInfinity);
  EXPECT_DOUBLE_EQ(noise_ratio(of_db(20)), 0.01);
}

TEST(Front, LeavesOutWhatAnotherBeats) {
  const std::vector<FrontPoint> points = {
      {{}, 0, of_db(22.8)},           {{0, 1}, 2, of_db(23.8)},
      {{0, 1, 2, 3}, 4, of_db(25.7)}, {{0, 1, 2, 4, 5}, 8, of_db(24.9)},  // more layers, and worse
      {{1}, 2, of_db(23.8)},  // the same as another: the first stays
      {{2}, 2, of_db(23.0)},          {{0, 1, 2, 3, 4}, 12, of_db(27.4)},
  };
  EXPECT_EQ(front_of(points, Goal::Kind::kSqnr), (std::vector<std::size_t>{0, 1, 2, 6}));
  EXPECT_TRUE(front_of({}, Goal::Kind::kSqnr).empty());
}

TEST(Front, HasNoPointThatAnotherBeats) {
  std::vector<FrontPoint> points;
  std::uint32_t state = 1;
  const auto draw = [&] { return (state = state * 1664525 + 1013904223) >> 24; };
  for (std::uint32_t place = 0; place < 200; ++place) {
    points.push_back({{place}, static_cast<double>(draw() % 20), of_db(draw() % 30)});
  }
  const auto front = front_of(points, Goal::Kind::kSqnr);
  const std::set<std::size_t> is_in(front.begin(), front.end());
  for (std::size_t place = 0; place < points.size(); ++place) {
    const bool is_beaten = std::ranges::any_of(front, [&](std::size_t other) {
      return other != place && points[other].cost <= points[place].cost &&
             points[other].score.sqnr_db >= points[place].score.sqnr_db;
    });
    EXPECT_EQ(is_beaten, !is_in.contains(place)) << place;
  }
}

}  // namespace
}  // namespace planex::quantize
