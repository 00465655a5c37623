#include "quantize/front.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <vector>

namespace planex::quantize {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Score of_noise(double noise) { return {.sqnr_db = -10 * std::log10(noise)}; }
Score of_db(double db) { return {.sqnr_db = db}; }

// Runs a search to its end against a function that returns a model's noise. Returns all sets that
// were requested.
std::vector<LayerSet> run(GreedySearch& search,
                          const std::function<double(const LayerSet&)>& noise) {
  std::vector<LayerSet> all;
  while (true) {
    const std::vector<LayerSet> sets = search.next();
    if (sets.empty()) return all;
    std::vector<Score> scores;
    for (const LayerSet& set : sets) {
      scores.push_back(of_noise(noise(set)));
      all.push_back(set);
    }
    search.report(scores);
  }
}

// Noise of all layers that are not kept, added up.
std::function<double(const LayerSet&)> sum_of(const std::vector<double>& effects) {
  return [effects](const LayerSet& kept) {
    double sum = 1e-9;
    for (std::uint32_t layer = 0; layer < effects.size(); ++layer) {
      if (!std::ranges::binary_search(kept, layer)) sum += effects[layer];
    }
    return sum;
  };
}

TEST(Goal, IsReadAndWritten) {
  for (const char* text : {"20dB", "20 dB", "20db"}) {
    const auto goal = parse_goal(text);
    ASSERT_TRUE(goal.has_value()) << text;
    EXPECT_EQ(goal->kind, Goal::Kind::kSqnr);
    EXPECT_EQ(goal->least, 20);
    EXPECT_EQ(to_string(*goal), "20 dB");
  }
  for (const char* text : {"top1=99%", "top1=0.99", "top1=99 %"}) {
    const auto goal = parse_goal(text);
    ASSERT_TRUE(goal.has_value()) << text;
    EXPECT_EQ(goal->kind, Goal::Kind::kTop1);
    EXPECT_DOUBLE_EQ(goal->least, 0.99);
    EXPECT_EQ(to_string(*goal), "top1=99%");
  }
  for (const char* text : {"", "20", "dB", "top1=", "top1=0%", "top1=101%", "nandB", "top1=99",
                           "top5=9%", "1e999dB"}) {
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

TEST(GreedySearch, KeepsTheCulprits) {
  const std::vector<double> effects = {0.001, 0.2, 0.001, 0.3, 0.002, 0.1, 0.001};
  GreedySearch search(effects, std::vector<double>(7, 1), of_noise(0.605),
                      {.goal = Goal{.least = 20}});
  run(search, sum_of(effects));
  EXPECT_EQ(search.kept(), (LayerSet{1, 3, 5}));
  EXPECT_GE(search.score().sqnr_db, 20);
}

TEST(GreedySearch, StopsAtItsGoalAndGoesOnFromThere) {
  const std::vector<double> effects = {0.1, 0.2, 0.3, 0.4};
  GreedySearch search(effects, std::vector<double>(4, 1), of_noise(1),
                      {.goal = Goal{.least = -10}});
  EXPECT_TRUE(search.next().empty()) << "it already exists";
  search.set_goal({.least = 2});
  run(search, sum_of(effects));
  EXPECT_EQ(search.kept(), (LayerSet{3}));
  search.set_goal({.least = 9});
  run(search, sum_of(effects));
  EXPECT_EQ(search.kept(), (LayerSet{1, 2, 3}));
}

TEST(GreedySearch, VerifiesThatALayerHelps) {
  // Layer 0 looks worst alone, but its error cancels that of layer 1: without it the result gets
  // worse.
  const std::vector<double> effects = {0.5, 0.2, 0.1, 0.05};
  GreedySearch search(effects, std::vector<double>(4, 1), of_noise(0.3), {.most_layers = 2});
  run(search, [](const LayerSet& kept) {
    const std::set<std::uint32_t> has(kept.begin(), kept.end());
    return (has.contains(0) ? 0.6 : 0.1) + (has.contains(1) ? 0 : 0.1) +
           (has.contains(2) ? 0 : 0.1);
  });
  EXPECT_EQ(search.kept(), (LayerSet{1, 2}));
}

TEST(GreedySearch, SeesTwoThatHelpOnlyTogether) {
  const std::vector<double> effects = {0.5, 0.5, 0.01, 0.01};
  GreedySearch search(effects, std::vector<double>(4, 1), of_noise(0.5),
                      {.goal = Goal{.least = 9}});
  run(search,
      [](const LayerSet& kept) { return std::ranges::includes(kept, LayerSet{0, 1}) ? 0.1 : 0.5; });
  EXPECT_EQ(search.kept(), (LayerSet{0, 1}));
}

TEST(GreedySearch, GoesBackFromItsGoal) {
  // Nothing helps until the first four are in float together, and two of them were enough.
  const std::vector<double> effects = {0.4, 0.3, 0.2, 0.1, 0.01, 0.01, 0.01, 0.01};
  GreedySearch search(effects, std::vector<double>(8, 1), of_noise(0.5),
                      {.goal = Goal{.least = 9}});
  run(search,
      [](const LayerSet& kept) { return std::ranges::includes(kept, LayerSet{1, 3}) ? 0.1 : 0.5; });
  EXPECT_EQ(search.kept(), (LayerSet{1, 3}));
  EXPECT_TRUE(search.next().empty());
}

TEST(GreedySearch, EndsWhereNothingHelps) {
  const std::vector<double> effects(40, 0.01);
  GreedySearch search(effects, std::vector<double>(40, 1), of_noise(0.4), {});
  const auto asked = run(search, [](const LayerSet&) { return 0.4; });
  EXPECT_TRUE(search.kept().empty());
  EXPECT_EQ(asked.size(), 8 + (GreedySearch::kWindow + 1) * GreedySearch::kWindows);
  EXPECT_TRUE(search.next().empty());
}

TEST(GreedySearch, GoesAroundItsLimits) {
  const std::vector<double> effects = {0.4, 0.3, 0.2, 0.1};
  GreedySearch search(effects, {0.5, 0.04, 0.04, 0.01}, of_noise(1), {.most_cost = 0.05});
  for (const LayerSet& set : run(search, sum_of(effects))) EXPECT_LE(search.cost_of(set), 0.05);
  EXPECT_EQ(search.kept(), (LayerSet{1, 3}));
}

TEST(GreedySearch, TakesWhatCostsLeastForWhatItGives) {
  const std::vector<double> effects = {0.4, 0.3};
  GreedySearch search(effects, {100, 1}, of_noise(0.7), {.goal = Goal{.least = 3}});
  run(search, sum_of(effects));
  EXPECT_EQ(search.kept(), (LayerSet{1}));
}

TEST(GreedySearch, NeverKeepsAll) {
  const std::vector<double> effects = {0.4, 0.3};
  GreedySearch search(effects, {1, 1}, of_noise(0.7), {.goal = Goal{.least = 90}});
  run(search, sum_of(effects));
  EXPECT_EQ(search.kept().size(), 1);
}

TEST(GreedySearch, GetsOutOfNan) {
  const std::vector<double> effects = {kInfinity, 0.1, 0.1};
  GreedySearch search(effects, {1, 1, 1}, of_noise(kInfinity), {.goal = Goal{.least = 6}});
  run(search,
      [](const LayerSet& kept) { return std::ranges::binary_search(kept, 0U) ? 0.2 : kInfinity; });
  EXPECT_EQ(search.kept(), (LayerSet{0}));
}

}  // namespace
}  // namespace planex::quantize
