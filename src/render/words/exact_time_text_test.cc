#include "render/words/exact_time_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace planex::render {
namespace {

TEST(ExactTimeText, IsInFull) {
  EXPECT_EQ(microseconds_text(0), "0");
  EXPECT_EQ(microseconds_text(1'000'000'000), "1");
  EXPECT_EQ(microseconds_text(12'345'600'000), "12.3456");
  EXPECT_EQ(microseconds_text(1), "0.000000001");
  EXPECT_EQ(microseconds_text(-1'500'000'000), "-1.5");
  EXPECT_EQ(microseconds_text(std::numeric_limits<analyze::Femtoseconds>::max()),
            "9223372036.854775807");
  EXPECT_EQ(microseconds_text(std::numeric_limits<analyze::Femtoseconds>::min()),
            "-9223372036.854775808");
  EXPECT_EQ(milliseconds_text(201'728'000'000), "0.201728");
  EXPECT_EQ(milliseconds_text(1), "0.000000000001");
}

}  // namespace
}  // namespace planex::render
