#include "base/utf8.h"

#include <gtest/gtest.h>

namespace planex::base {
namespace {

TEST(Utf8, KeepsCharactersAndReplacesTheRest) {
  EXPECT_EQ(valid_utf8("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\x1F"),
            "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\x1F");
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(valid_utf8("a\xFFz"), "a" + mark + "z");
  EXPECT_EQ(valid_utf8("\xC3"), mark) << "cut";
  EXPECT_EQ(valid_utf8("\xC0\x80"), mark + mark) << "overlong";
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), mark + mark + mark) << "surrogate";
  EXPECT_EQ(valid_utf8("\xF4\x90\x80\x80"), mark + mark + mark + mark) << "past U+10FFFF";
}

TEST(Utf8, Tells) {
  EXPECT_TRUE(is_valid_utf8(""));
  EXPECT_TRUE(is_valid_utf8("a\xC3\xA9\xF0\x9F\x98\x80"));
  EXPECT_FALSE(is_valid_utf8("a\xC3"));
  EXPECT_FALSE(is_valid_utf8("\xC0\x80"));
}

TEST(Utf8, GivesTheFirstCodePoint) {
  const auto check = [](std::string_view text, std::int32_t value, std::size_t length) {
    const CodePoint point = first_code_point(text);
    EXPECT_EQ(point.value, value) << text;
    EXPECT_EQ(point.length, length) << text;
  };
  check("az", 'a', 1);
  check(std::string_view("\0", 1), 0, 1);
  check("é", 0xE9, 2);
  check("卷积", 0x5377, 3);
  check("\U0010FFFF", 0x10FFFF, 4);
  check("\xC3", -1, 1);
  check("\xED\xA0\x80", -1, 1);
}

}  // namespace
}  // namespace planex::base
