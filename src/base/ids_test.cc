#include "base/ids.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace planex::base {
namespace {

struct OneTag;
struct OtherTag;
using One = Id<OneTag>;
using Other = Id<OtherTag>;

static_assert(!std::is_convertible_v<One, Other>);
static_assert(!std::is_convertible_v<std::size_t, One>);
static_assert(!std::is_constructible_v<One, Other>);

TEST(Id, IsNullUntilSet) {
  EXPECT_TRUE(One().is_null());
  EXPECT_FALSE(One(0).is_null());
  EXPECT_EQ(One(17).index(), 17u);
}

TEST(Id, IsOrderedByPositionWithNullLast) {
  EXPECT_LT(One(1), One(2));
  EXPECT_EQ(One(3), One(3));
  EXPECT_LT(One(1'000'000), One());
}

}  // namespace
}  // namespace planex::base
