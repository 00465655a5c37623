#include "quantize/prefix_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <vector>

namespace planex::quantize {
namespace {

constexpr double kNoNoise = 1e-9;

Score score_of_noise(double noise) { return {.sqnr_db = -10 * std::log10(noise)}; }

// Runs a search to its end against a function that returns a model's noise. Returns all sets that
// were requested.
std::vector<LayerSet> run_search(PrefixSearch& search,
                                 const std::function<double(const LayerSet&)>& noise) {
  std::vector<LayerSet> all;
  while (true) {
    const std::vector<LayerSet> sets = search.next();
    if (sets.empty()) return all;
    std::vector<Score> scores;
    for (const LayerSet& set : sets) {
      scores.push_back(score_of_noise(noise(set)));
      all.push_back(set);
    }
    search.report(scores);
  }
}

// Noise of all layers that are not kept, added up.
std::function<double(const LayerSet&)> noise_sum(const std::vector<double>& powers) {
  return [powers](const LayerSet& kept) {
    double sum = kNoNoise;
    for (std::uint32_t layer = 0; layer < powers.size(); ++layer) {
      if (!std::ranges::binary_search(kept, layer)) sum += powers[layer];
    }
    return sum;
  };
}

PrefixSearch searching(const std::vector<double>& powers, std::vector<double> costs,
                       SearchLimits limits) {
  return {LayerErrors::of_powers(powers), std::move(costs), score_of_noise(noise_sum(powers)({})),
          limits};
}

std::vector<double> ones(std::size_t count) { return std::vector<double>(count, 1); }

TEST(PrefixSearch, KeepsTheCulprits) {
  const std::vector<double> powers = {0.001, 0.2, 0.001, 0.3, 0.002, 0.1, 0.001};
  auto search = searching(powers, ones(7), {.goal = Goal{.least = 20}});
  run_search(search, noise_sum(powers));
  EXPECT_EQ(search.kept(), (LayerSet{1, 3, 5}));
  EXPECT_GE(search.score().sqnr_db, 20);
}

TEST(PrefixSearch, NeedsFewModelsOfMany) {
  std::vector<double> powers;
  for (int layer = 0; layer < 400; ++layer) powers.push_back(1.0 / (1 + layer));
  for (const double goal_db : {-7.0, -3.0, 3.0, 10.0}) {
    auto search = searching(powers, ones(400), {.goal = Goal{.least = goal_db}});
    // Ten times the noise that was predicted, for what is in INT8 together.
    const auto noise = [&](const LayerSet& kept) {
      return noise_sum(powers)(kept) * (kept.size() > 30 ? 3 : 1);
    };
    const auto asked = run_search(search, noise);
    EXPECT_LE(asked.size(), 30) << goal_db;
    EXPECT_GE(search.score().sqnr_db, goal_db);
  }
}

TEST(PrefixSearch, FindsTheSmallestPrefixWherePredictionsAreWrong) {
  // What is predicted is a hundred times too small after the first five.
  std::vector<double> powers(64, 1e-4);
  for (std::size_t layer = 0; layer < 5; ++layer) powers[layer] = 0.2;
  auto search = searching(powers, ones(64), {.goal = Goal{.least = 10}});
  run_search(search, [&](const LayerSet& kept) {
    return kept.size() >= 23 ? 0.09 : 0.5 + 0.001 * static_cast<double>(64 - kept.size());
  });
  EXPECT_EQ(search.kept().size(), 23);
}

TEST(PrefixSearch, StopsAtItsGoalAndGoesOnFromThere) {
  const std::vector<double> powers = {0.1, 0.2, 0.3, 0.4};
  auto search = searching(powers, ones(4), {.goal = Goal{.least = -10}});
  EXPECT_TRUE(search.next().empty()) << "it already exists";
  search.set_goal({.least = 2});
  run_search(search, noise_sum(powers));
  EXPECT_EQ(search.kept(), (LayerSet{3}));
  search.set_goal({.least = 9});
  run_search(search, noise_sum(powers));
  EXPECT_EQ(search.kept(), (LayerSet{1, 2, 3}));
}

TEST(PrefixSearch, GoesBackFromItsGoal) {
  // The order puts layer 0 first, but in float it changes nothing.
  const std::vector<double> powers = {0.4, 0.3, 0.2, 0.1, 0.01, 0.01, 0.01, 0.01};
  auto search = searching(powers, ones(8), {.goal = Goal{.least = 9}});
  run_search(search, [](const LayerSet& kept) {
    return std::ranges::includes(kept, LayerSet{1, 3}) ? 0.02 : 0.5;
  });
  EXPECT_EQ(search.kept(), (LayerSet{1, 3}));
  EXPECT_TRUE(search.next().empty());
}

TEST(PrefixSearch, EndsWhereNothingHelps) {
  const std::vector<double> powers(40, 0.01);
  auto search = searching(powers, ones(40), {});
  run_search(search, [](const LayerSet&) { return 0.4; });
  EXPECT_TRUE(search.kept().empty());
  EXPECT_TRUE(search.next().empty());
}

TEST(PrefixSearch, GoesAroundItsLimits) {
  const std::vector<double> powers = {0.4, 0.3, 0.2, 0.1};
  auto search = searching(powers, {0.5, 0.04, 0.04, 0.01}, {.most_cost = 0.05});
  for (const LayerSet& set : run_search(search, noise_sum(powers))) {
    EXPECT_LE(search.cost_of(set), 0.05);
  }
  EXPECT_EQ(search.kept(), (LayerSet{1, 3}));
}

TEST(PrefixSearch, TakesWhatCostsLeastForWhatItGives) {
  const std::vector<double> powers = {0.4, 0.3};
  auto search = searching(powers, {100, 1}, {.goal = Goal{.least = 3}});
  run_search(search, noise_sum(powers));
  EXPECT_EQ(search.kept(), (LayerSet{1}));
}

TEST(PrefixSearch, NeverKeepsAll) {
  const std::vector<double> powers = {0.4, 0.3};
  auto search = searching(powers, ones(2), {.goal = Goal{.least = 90}});
  run_search(search, noise_sum(powers));
  EXPECT_EQ(search.kept().size(), 1);
}

TEST(PrefixSearch, GetsOutOfNan) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  auto search = searching({kInfinity, 0.1, 0.1}, ones(3), {.goal = Goal{.least = 6}});
  run_search(search, [](const LayerSet& kept) {
    return std::ranges::binary_search(kept, 0U) ? 0.2 : std::numeric_limits<double>::infinity();
  });
  EXPECT_EQ(search.kept(), (LayerSet{0}));
}

TEST(PrefixSearch, CountsRowsWhereTheGoalIsInClasses) {
  const std::vector<double> powers = {0.4, 0.3, 0.2, 0.1, 0.05};
  auto search = searching(powers, ones(5), {.goal = Goal{Goal::Kind::kTop1, 0.9}});
  while (true) {
    const auto sets = search.next();
    if (sets.empty()) break;
    std::vector<Score> scores;
    for (const LayerSet& set : sets) {
      scores.push_back({.sqnr_db = static_cast<double>(set.size()),
                        .top1_count = static_cast<std::int64_t>(6 + set.size()),
                        .row_count = 10});
    }
    search.report(scores);
  }
  EXPECT_EQ(search.kept().size(), 3);
}

}  // namespace
}  // namespace planex::quantize
