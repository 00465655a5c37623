#include "render/words/characters.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace planex::render {
namespace {

TEST(Characters, ShowsWhatWouldReorderOrHide) {
  EXPECT_EQ(visible("a\u202Eb\nc"), "a⟨U+202E⟩b⟨U+000A⟩c");
  EXPECT_EQ(visible(std::string_view("\0", 1)), "⟨U+0000⟩");
  EXPECT_EQ(visible("\x1b[31m\x7f\u009b"), "⟨U+001B⟩[31m⟨U+007F⟩⟨U+009B⟩");
  EXPECT_EQ(visible("\u200B\uFEFF\u2066\u061C"), "⟨U+200B⟩⟨U+FEFF⟩⟨U+2066⟩⟨U+061C⟩");
}

TEST(Characters, ShowsCodePointsThatXmlForbids) {
  EXPECT_EQ(visible("\uFFFE\uFFFF"), "⟨U+FFFE⟩⟨U+FFFF⟩");
  EXPECT_EQ(visible("\U0001FFFE\U0010FFFF\uFDD0"), "⟨U+1FFFE⟩⟨U+10FFFF⟩⟨U+FDD0⟩");
  EXPECT_EQ(visible("\xff\xC3"), "\uFFFD\uFFFD");
  EXPECT_EQ(visible("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
}

TEST(Characters, LeavesTheRest) {
  EXPECT_EQ(visible(""), "");
  EXPECT_EQ(visible("layer1.0 <b>&\"'"), "layer1.0 <b>&\"'");
  EXPECT_EQ(visible("漢字 é 🙂 e\u0301"), "漢字 é 🙂 e\u0301");
}

TEST(Characters, AnyBytesBecomeStableText) {
  std::string all;
  for (int high = 0; high < 256; ++high) {
    for (int low = 0; low < 256; ++low) all += {static_cast<char>(high), static_cast<char>(low)};
  }
  const std::string once = visible(all);
  EXPECT_TRUE(base::is_valid_utf8(once));
  EXPECT_EQ(visible(once), once);
}

}  // namespace
}  // namespace planex::render
