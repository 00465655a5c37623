#include "tune/label_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace planex::tune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::string> kNames = {"data/a/1.png", "data/b/1.png", "data/b/2.png"};

TEST(LabelFile, GivesLinesInTheOrderOfSamples) {
  const auto labels = labels_in("cat\n\n# three\r\ndog\r\n7", "l.txt", kNames);
  ASSERT_TRUE(labels);
  EXPECT_THAT(*labels, ElementsAre("cat", "dog", "7"));
}

TEST(LabelFile, FindsNamesByTheEndOfTheirPath) {
  const auto labels = labels_in("b/1.png,dog\n2.png\tcow\nother.png,cat\n", "l.csv", kNames);
  ASSERT_TRUE(labels);
  EXPECT_THAT(*labels, ElementsAre("", "dog", "cow"));
}

TEST(LabelFile, TakesANameForEverySampleThatEndsInIt) {
  const auto labels = labels_in("1.png,cat", "l.csv", kNames);
  ASSERT_TRUE(labels);
  EXPECT_THAT(*labels, ElementsAre("cat", "cat", ""));
}

TEST(LabelFile, RefusesWhatDoesNotFit) {
  const auto count = labels_in("cat\ndog\n", "l.txt", kNames);
  ASSERT_FALSE(count);
  EXPECT_EQ(count.error().file, "l.txt");
  EXPECT_THAT(count.error().message, HasSubstr("2 labels, but the data has 3 samples"));
  const auto others = labels_in("x.png,cat", "l.csv", kNames);
  ASSERT_FALSE(others);
  EXPECT_THAT(others.error().message, HasSubstr("\"x.png\""));
  const auto mixed = labels_in("1.png,cat\ndog", "l.csv", kNames);
  ASSERT_FALSE(mixed);
  EXPECT_THAT(mixed.error().message, HasSubstr("1 of its 2 lines"));
}

}  // namespace
}  // namespace planex::tune
