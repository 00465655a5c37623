#include "lint/baseline.h"

#include <gtest/gtest.h>

namespace planex::lint {
namespace {

TEST(Baseline, FindsByRuleAndFingerprint) {
  const Baseline baseline({{"a", "1"}, {"b", "1"}, {"a", "2"}, {"a", "1"}}, "old", "file");
  EXPECT_EQ(baseline.find("a", "1"), 0U);
  EXPECT_EQ(baseline.find("b", "1"), 1U);
  EXPECT_EQ(baseline.find("a", "2"), 2U);
  EXPECT_EQ(baseline.find("b", "2"), std::nullopt);
  EXPECT_EQ(baseline.find("", ""), std::nullopt);
}

}  // namespace
}  // namespace planex::lint
