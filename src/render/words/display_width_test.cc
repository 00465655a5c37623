#include "render/words/display_width.h"

#include <gtest/gtest.h>
#include <utf8proc.h>

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

TEST(DisplayWidth, WhatIsPrintableIsWhatUnicodeSays) {
  constexpr std::int32_t kPastLast = 0x110000;
  for (std::int32_t point = 0; point < kPastLast; ++point) {
    const auto category = utf8proc_category(point);
    if (category == UTF8PROC_CATEGORY_CS) continue;  // surrogates are in no text
    const bool is_joiner = point == 0x200C || point == 0x200D;
    const bool is_unseen = category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
                           category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
    ASSERT_EQ(base::is_printable(point), is_joiner || !is_unseen) << std::hex << point;
  }
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
  EXPECT_EQ(elide_end("one two", 5), "one …");
}

}  // namespace
}  // namespace planex::render
