#include "base/checked.h"

#include <gtest/gtest.h>

#include <limits>

namespace planex::base {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

TEST(CheckedInt, Computes) {
  EXPECT_EQ((CheckedInt(6) * 7 + 1).value(), 43);
  EXPECT_EQ((CheckedInt(kMax) * 1).value(), kMax);
  EXPECT_EQ((CheckedInt(-3) * 4).value(), -12);
}

TEST(CheckedInt, OverflowGivesNothing) {
  EXPECT_FALSE((CheckedInt(kMax) + 1).value());
  EXPECT_FALSE((CheckedInt(kMin) + -1).value());
  EXPECT_FALSE((CheckedInt(kMax) * 2).value());
  EXPECT_FALSE((CheckedInt(kMin) * -1).value());
  EXPECT_FALSE((CheckedInt(std::int64_t{1} << 32) * (std::int64_t{1} << 31)).value());
}

TEST(CheckedInt, OneOverflowSpoilsTheChain) {
  EXPECT_FALSE((CheckedInt(kMax) * 2 * 0).value());
  EXPECT_FALSE((CheckedInt(kMax) * 2 + -5).value());
  EXPECT_FALSE((CheckedInt(1) + CheckedInt(kMax) * 2).value());
  EXPECT_FALSE((CheckedInt(kMax) + 1).rounded_up_to(4).value());
  EXPECT_FALSE((CheckedInt(kMax) + 1).divided_up_by(8).value());
}

TEST(CheckedInt, RoundsUp) {
  EXPECT_EQ(CheckedInt(0).rounded_up_to(32).value(), 0);
  EXPECT_EQ(CheckedInt(1).rounded_up_to(32).value(), 32);
  EXPECT_EQ(CheckedInt(32).rounded_up_to(32).value(), 32);
  EXPECT_EQ(CheckedInt(33).rounded_up_to(32).value(), 64);
  EXPECT_EQ(CheckedInt(7).rounded_up_to(1).value(), 7);
  EXPECT_FALSE(CheckedInt(kMax).rounded_up_to(2).value());
  EXPECT_EQ(CheckedInt(0).divided_up_by(8).value(), 0);
  EXPECT_EQ(CheckedInt(1).divided_up_by(8).value(), 1);
  EXPECT_EQ(CheckedInt(16).divided_up_by(8).value(), 2);
  EXPECT_EQ(CheckedInt(17).divided_up_by(8).value(), 3);
  EXPECT_FALSE(CheckedInt(kMax).divided_up_by(8).value());
}

// It works at compile time, where an undetected overflow would not compile.
static_assert(!(CheckedInt(kMax) * kMax).value());
static_assert((CheckedInt(2) * 3).value() == 6);

}  // namespace
}  // namespace planex::base
