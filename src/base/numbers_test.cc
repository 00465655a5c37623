#include "base/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace planex::base {
namespace {

TEST(WholeText, TakesAllOfTheTextOrNothing) {
  EXPECT_EQ(number_in<double>("0.1"), 0.1);
  EXPECT_EQ(number_in<double>("-1.5e3"), -1500.0);
  EXPECT_EQ(number_in<double>("5e-324"), 5e-324);
  EXPECT_EQ(number_in<double>(".5"), 0.5);
  EXPECT_EQ(number_in<double>("inf"), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(number_in<double>("nan").value_or(0)));
  for (const char* text : {"", " 1", "1 ", "+1", "0x10", "1e400", "-", "--1", "1,5", "e5", "."}) {
    EXPECT_EQ(number_in<double>(text), std::nullopt) << text;
  }
  EXPECT_EQ(number_in<std::int64_t>("9223372036854775807"), 9223372036854775807);
  EXPECT_EQ(number_in<std::int64_t>("9223372036854775808"), std::nullopt);
  EXPECT_EQ(number_in<std::int64_t>("1.0"), std::nullopt);
}

TEST(LeadingText, TakesWhatTheTextBeginsWith) {
  EXPECT_EQ(leading_number<double>("1.25 ms"), 1.25);
  EXPECT_EQ(leading_number<double>("3e"), 3.0);
  EXPECT_EQ(leading_number<double>("ms"), std::nullopt);
  EXPECT_EQ(leading_number<int>("12.5"), 12);
}

TEST(RoundedToDigits, KeepsThatMany) {
  EXPECT_EQ(rounded_to_digits(0.05556783462, 7), 0.05556783);
  EXPECT_EQ(rounded_to_digits(1935e9, 7), 1935e9);
  EXPECT_EQ(rounded_to_digits(-123456789.0, 7), -123456800.0);
  EXPECT_EQ(rounded_to_digits(9.99999999, 7), 10.0);
  EXPECT_EQ(rounded_to_digits(2.0 / 3, 3), 0.667);
  EXPECT_EQ(rounded_to_digits(0, 7), 0.0);
  EXPECT_EQ(rounded_to_digits(5e-324, 7), 5e-324);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(rounded_to_digits(infinity, 7), infinity);
  // 1.797693134862315e308 would round up beyond what a double holds.
  EXPECT_LE(rounded_to_digits(std::numeric_limits<double>::max(), 7), infinity);
}

}  // namespace
}  // namespace planex::base
