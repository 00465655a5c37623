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

}  // namespace
}  // namespace planex::base
