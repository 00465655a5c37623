#include "lint/symptoms.h"

#include <gtest/gtest.h>

namespace planex::lint {
namespace {

Finding finding(std::size_t layer, std::initializer_list<std::size_t> saved) {
  Finding result{.layer = LayerId(layer)};
  for (const std::size_t other : saved) result.savings.push_back({.layer = LayerId(other)});
  return result;
}

TEST(Symptoms, FoldIntoTheCauseThatSavesTheSameLayers) {
  const Finding cause = finding(0, {0, 1, 2});
  const Finding quantizer = finding(1, {1}), reformat = finding(1, {1}), big = finding(2, {2});
  const std::vector<FindingOfRule> all = {{&big, 7}, {&reformat, 6}, {&quantizer, 4}, {&cause, 1}};
  const auto causes = fold_symptoms(all);
  EXPECT_EQ(causes[0], 3);
  EXPECT_EQ(causes[1], 3);
  EXPECT_EQ(causes[2], 3);
  EXPECT_EQ(causes[3], std::nullopt);
}

TEST(Symptoms, StandAloneWhereTheFixLeavesAPartOfThem) {
  const Finding cause = finding(0, {1});
  const Finding wider = finding(1, {1, 2}), elsewhere = finding(3, {3});
  const std::vector<FindingOfRule> all = {{&cause, 0}, {&wider, 4}, {&elsewhere, 4}};
  for (const auto& folded : fold_symptoms(all)) EXPECT_EQ(folded, std::nullopt);
}

TEST(Symptoms, OfSymptomsGoToTheRoot) {
  const Finding root = finding(0, {0, 1, 2}), middle = finding(1, {1, 2}), last = finding(2, {2});
  const std::vector<FindingOfRule> all = {{&last, 5}, {&middle, 2}, {&root, 0}};
  const auto causes = fold_symptoms(all);
  EXPECT_EQ(causes[0], 2);
  EXPECT_EQ(causes[1], 2);
}

// A finding without known savings folds only if the cause names its layer.
TEST(Symptoms, WithoutSavingsFoldWhereTheCauseNamesTheirLayer) {
  Finding cause = finding(0, {1});
  cause.also_about = {LayerId(2)};
  const Finding named = finding(2, {}), saved = finding(2, {2}), other = finding(1, {});
  const std::vector<FindingOfRule> all = {{&cause, 1}, {&named, 2}, {&saved, 3}, {&other, 2}};
  const auto causes = fold_symptoms(all);
  EXPECT_EQ(causes[1], 0);
  EXPECT_EQ(causes[2], 0);
  EXPECT_EQ(causes[3], std::nullopt);
}

TEST(Symptoms, OfTheSameDepthDontFold) {
  const Finding one = finding(0, {0}), other = finding(0, {0});
  const std::vector<FindingOfRule> all = {{&one, 4}, {&other, 4}};
  for (const auto& folded : fold_symptoms(all)) EXPECT_EQ(folded, std::nullopt);
}

}  // namespace
}  // namespace planex::lint
