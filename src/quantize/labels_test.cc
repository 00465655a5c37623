#include "quantize/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace planex::quantize {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Labels = std::vector<std::string>;

TEST(Labels, ThatAreNumbersAreClasses) {
  const auto classes = classes_of(Labels{"3", "0", "", "3"}, 10);
  ASSERT_TRUE(classes);
  EXPECT_THAT(*classes, ElementsAre(3, 0, -1, 3));
}

TEST(Labels, ThatAreNamesAreNumberedInTheirOrder) {
  const auto classes = classes_of(Labels{"dog", "cat", "newt", "cat"}, 3);
  ASSERT_TRUE(classes);
  EXPECT_THAT(*classes, ElementsAre(1, 0, 2, 0));
  // Class 180 does not exist with two classes.
  const auto turned = classes_of(Labels{"180", "0"}, 2);
  ASSERT_TRUE(turned);
  EXPECT_THAT(*turned, ElementsAre(1, 0));
}

TEST(Labels, ThatDoNotFitAreRefused) {
  const auto classes = classes_of(Labels{"dog", "cat"}, 1000);
  ASSERT_FALSE(classes);
  EXPECT_THAT(classes.error().message, HasSubstr("2 different labels"));
  EXPECT_THAT(classes.error().message, HasSubstr("1000 classes"));
}

// statsmodels: proportion_confint(95, 100, method="wilson"), and of 10 of 10.
TEST(RightAnswers, HaveTheScoreInterval) {
  const RightAnswers some = right_answers(95, 100);
  EXPECT_NEAR(some.low, 0.888246, 1e-5);
  EXPECT_NEAR(some.high, 0.978457, 1e-5);
  const RightAnswers all = right_answers(10, 10);
  EXPECT_NEAR(all.low, 0.722467, 1e-5);
  EXPECT_EQ(all.high, 1);
  EXPECT_EQ(right_answers(0, 10).low, 0);
}

}  // namespace
}  // namespace planex::quantize
