#include "base/printable.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "base/utf8.h"

namespace planex::base {
namespace {

TEST(Printable, ShowsWhatCantBeSeen) {
  EXPECT_EQ(printable("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(printable(std::string_view("\0\x1b[31m\x7f", 7)), "\\x00\\x1b[31m\\x7f");
  EXPECT_EQ(printable("\u009b31m\u202e\u2028\ufeff\u00ad"),
            "\\u009b31m\\u202e\\u2028\\ufeff\\u00ad");
  EXPECT_EQ(printable("\xff\xC3"), "\\xff\\xc3");
  EXPECT_EQ(printable("漢字 é 🙂 µ \U0001F468\u200D\U0001F469"),
            "漢字 é 🙂 µ \U0001F468\u200D\U0001F469");
}

TEST(Printable, MessagesQuoteTheSame) {
  EXPECT_EQ(quoted("\x1b\u202e\u009b\xff"), "\"\\x1b\\u202e\\u009b\\xff\"");
}

TEST(PrintableDocument, KeepsLinesAndColors) {
  const std::string document = "\x1b[1mhead\x1b[0m …\n\x1b[38;5;1mx\x1b[m\n";
  EXPECT_EQ(printable_document(document), document);
  EXPECT_EQ(printable_document("plain\n"), "plain\n");
  EXPECT_EQ(printable_document("a\rb\x1b]0;title\x07\x1b[2Jc\n"),
            "a\\rb\\x1b]0;title\\x07\\x1b[2Jc\n");
  EXPECT_EQ(printable_document("\x1b[31"), "\\x1b[31");
  EXPECT_EQ(printable_document(std::string("\u009b2J\0\u202e", 8)), "\\u009b2J\\x00\\u202e");
}

TEST(Printable, AnyBytesBecomeStableText) {
  std::string all;
  for (int high = 0; high < 256; ++high) {
    for (int low = 0; low < 256; ++low) all += {static_cast<char>(high), static_cast<char>(low)};
  }
  const std::string once = printable(all);
  EXPECT_TRUE(is_valid_utf8(once));
  EXPECT_EQ(printable(once), once);
}

}  // namespace
}  // namespace planex::base
