#include "model/column.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace planex::model {
namespace {

TEST(Column, StartsNull) {
  Int ints;
  Real reals;
  Text texts;
  Column<DType> types;
  Column<Layout> layouts;
  Column<LayerId> ids;
  ints.push_null();
  reals.push_null();
  texts.push_null();
  types.push_null();
  layouts.push_null();
  ids.push_null();
  EXPECT_TRUE(ints.is_null(0) && reals.is_null(0) && texts.is_null(0) && types.is_null(0) &&
              layouts.is_null(0) && ids.is_null(0));
  EXPECT_FALSE(ints.get(0) || reals.get(0) || texts.get(0) || types.get(0) || layouts.get(0));
}

TEST(Column, ZeroIsNotNull) {
  Int ints;
  ints.push_null();
  ints.set(0, 0);
  EXPECT_EQ(ints.get(0), 0);
  Real reals;
  reals.push_null();
  reals.set(0, 0.0);
  EXPECT_EQ(reals.get(0), 0.0);
  reals.set(0, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(reals.is_null(0));
  reals.set(0, std::optional<double>());
  EXPECT_TRUE(reals.is_null(0));
}

TEST(IntList, HoldsListsOfAnyLength) {
  IntList lists;
  for (int i = 0; i < 4; ++i) lists.push_null();
  const std::vector<std::int64_t> dims = {1, 3, 224, 224};
  lists.set(1, dims);
  lists.set(2, {});  // a scalar: a list without numbers, which is not null
  EXPECT_TRUE(lists.is_null(0));
  EXPECT_TRUE(lists[0].empty());
  EXPECT_EQ(std::vector(lists[1].begin(), lists[1].end()), dims);
  EXPECT_FALSE(lists.is_null(2));
  EXPECT_TRUE(lists[2].empty());
  const std::vector<std::int64_t> longest(65'534, 7), too_long(65'535, 7);
  lists.set(3, longest);
  EXPECT_EQ(lists[3].size(), 65'534u);
  lists.set(3, too_long);
  EXPECT_TRUE(lists.is_null(3));
}

}  // namespace
}  // namespace planex::model
