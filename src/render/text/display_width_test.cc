#include "render/text/display_width.h"

#include <gtest/gtest.h>

namespace planex::render {
namespace {

TEST(DisplayWidth, CountsCells) {
  EXPECT_EQ(display_width("conv1"), 5U);
  EXPECT_EQ(display_width("größe"), 5U);
  EXPECT_EQ(display_width("卷积"), 4U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("🚀"), 2U);
  EXPECT_EQ(display_width("3\u2009614"), 5U);
  EXPECT_EQ(display_width(""), 0U);
}

TEST(DisplayWidth, PrintableShowsWhatWouldAct) {
  EXPECT_EQ(printable("a\nb\tc\r"), "a\\nb\\tc\\r");
  EXPECT_EQ(printable("\x1b[31mred\x1b]0;title\x07"), "\\x1b[31mred\\x1b]0;title\\x07");
  EXPECT_EQ(printable(std::string_view("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(printable("\u009b31m"), "\\u009b31m");             // C1 control sequence introducer
  EXPECT_EQ(printable("a\u202Eb\u2028"), "a\\u202eb\\u2028");  // right to left, line separator
  EXPECT_EQ(printable("\xff\xC3"), "\\xff\\xc3");
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("größe 卷积 👨\u200D👩"), "größe 卷积 👨\u200D👩");
}

TEST(DisplayWidth, ElidesTheMiddle) {
  EXPECT_EQ(elide_middle("layer1.0.conv2.weight", 21), "layer1.0.conv2.weight");
  EXPECT_EQ(elide_middle("0123456789abcdefghij", 11), "012345…ghij");
  EXPECT_EQ(elide_middle("abc", 1), "…");
  EXPECT_EQ(elide_middle("abc", 0), "");
  EXPECT_EQ(elide_middle("abc", 2), "a…");
  // Wide characters are never halved, accents never lost.
  EXPECT_EQ(elide_middle("卷积卷积卷积", 7), "卷…积");
  EXPECT_EQ(elide_middle("e\u0301e\u0301e\u0301e\u0301e\u0301", 3), "e\u0301…e\u0301");
  for (std::size_t width = 0; width < 16; ++width) {
    EXPECT_LE(display_width(elide_middle("卷a积e\u0301🚀b卷c积d", width)), width);
    EXPECT_LE(display_width(elide_end("卷a积e\u0301🚀b卷c积d", width)), width);
  }
}

TEST(DisplayWidth, Pads) {
  EXPECT_EQ(padded_left("卷", 4), "  卷");
  EXPECT_EQ(padded_right("é", 3), "é  ");
  EXPECT_EQ(padded_right("long", 2), "long");
  EXPECT_EQ(elide_end("one two", 5), "one …");
}

}  // namespace
}  // namespace planex::render
