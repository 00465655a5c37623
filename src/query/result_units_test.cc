#include "query/result_units.h"

#include <gtest/gtest.h>

namespace planex::query {
namespace {

TEST(ResultUnits, FollowTheNameOfAnExpression) {
  EXPECT_EQ(unit_of_expression("sum(median_ms)"), "ms");
  EXPECT_EQ(unit_of_expression("MAX( l.weight_bytes )"), "bytes");
  EXPECT_EQ(unit_of_expression("round(sum(median_ms), 3)"), "ms");
  EXPECT_EQ(unit_of_expression("percentile(median_ms, 90)"), "ms");
  EXPECT_EQ(unit_of_expression("sum(share)"), "ratio");
  EXPECT_EQ(unit_of_expression("total_ms"), "ms");
  EXPECT_EQ(unit_of_expression("bytes"), "bytes");
  EXPECT_EQ(unit_of_expression("count(*)"), "count");
  EXPECT_EQ(unit_of_expression("count(DISTINCT type)"), "count");
}

TEST(ResultUnits, AreEmptyWhereTheyAreUnclear) {
  EXPECT_EQ(unit_of_expression("share"), "");  // an alias; can be a percentage
  EXPECT_EQ(unit_of_expression("median_ms * 2"), "");
  EXPECT_EQ(unit_of_expression("sum(median_ms) / sum(mean_ms)"), "");
  EXPECT_EQ(unit_of_expression("count(a) / count(b)"), "");
  EXPECT_EQ(unit_of_expression("length(median_ms)"), "");
  EXPECT_EQ(unit_of_expression("sum("), "");
  EXPECT_EQ(unit_of_expression("()"), "");
  EXPECT_EQ(unit_of_expression(""), "");
}

}  // namespace
}  // namespace planex::query
