#include "render/trace/trace_json.h"

#include <gtest/gtest.h>

#include <limits>

namespace planex::render {
namespace {

TEST(TraceJson, MicrosecondsAreInFull) {
  EXPECT_EQ(microseconds(0), "0");
  EXPECT_EQ(microseconds(1'000'000'000), "1");
  EXPECT_EQ(microseconds(12'345'600'000), "12.3456");
  EXPECT_EQ(microseconds(1), "0.000000001");
  EXPECT_EQ(microseconds(-1'500'000'000), "-1.5");
  EXPECT_EQ(microseconds(std::numeric_limits<analyze::Femtoseconds>::max()),
            "9223372036.854775807");
  EXPECT_EQ(microseconds(std::numeric_limits<analyze::Femtoseconds>::min()),
            "-9223372036.854775808");
}

}  // namespace
}  // namespace planex::render
