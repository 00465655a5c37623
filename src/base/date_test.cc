#include "base/date.h"

#include <gtest/gtest.h>

namespace planex::base {
namespace {

TEST(Date, ReadsAndWritesDaysThatExist) {
  for (const char* text : {"2026-10-01", "2024-02-29", "0001-01-01", "9999-12-31"}) {
    const auto date = parse_date(text);
    ASSERT_TRUE(date) << text;
    EXPECT_EQ(date_text(*date), text);
  }
}

TEST(Date, RefusesOthers) {
  for (const char* text : {"", "2026-10-1", "2026-1-01", "26-10-01", "2026-02-29", "2026-13-01",
                           "2026-00-10", "2026-10-00", "2026/10/01", "2026-10-01T", "-026-10-01",
                           "+026-10-01", "2026-+1-01", " 026-10-01", "2026-10- 1"}) {
    EXPECT_FALSE(parse_date(text)) << text;
  }
}

TEST(Date, Orders) { EXPECT_LT(*parse_date("2026-09-30"), *parse_date("2026-10-01")); }

}  // namespace
}  // namespace planex::base
