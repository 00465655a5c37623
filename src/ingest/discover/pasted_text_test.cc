// The surroundings of a pasted text, and texts that only look as if they had some.
#include "ingest/discover/pasted_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/text.h"
#include "ingest/discover/decode.h"

namespace planex::ingest {
namespace {

using testing::HasSubstr;

std::string plain(std::string_view text) {
  const auto unwrapped = unwrap(text);
  return unwrapped ? unwrapped->text : "nothing to leave out";
}

TEST(PastedText, EachWrappingIsLeftOut) {
  constexpr std::string_view kThreeLines =
      "[07/31/2021-01:48:38] [I] a\n[07/31/2021-01:48:38] [I] b\nc\n";
  for (const std::string_view before :
       {"> ", "> > ", ">", "2024-05-24T14:43:21.1234567Z ", "2024-05-24T14:43:21+02:00 ",
        "[2024-05-24T14:43:21.123Z] ", "2024-05-24T14:43:21.123456Z 01O ",
        "build\tRun trtexec\t2024-05-24T14:43:21.1234567Z ",
        "May 24 14:43:21 jetson trt[812]: ", "May  4 04:43:21 jetson trt[812]: ", "trt-1  | ",
        "[pod/a-b/trt] ", "[pod/a/b] 2024-05-24T14:43:21.1Z ", "> 2024-05-24T14:43:21Z "}) {
    std::string wrapped;
    std::string_view rest = kThreeLines;
    while (!rest.empty()) {
      wrapped += before;
      wrapped += base::take_part(rest, '\n');
      wrapped += '\n';
    }
    EXPECT_EQ(plain(wrapped), kThreeLines) << before;
  }
}

TEST(PastedText, FencesLeaveEmptyLines) {
  EXPECT_EQ(plain("My engine is slow:\n```text\n[I] a\n```\nWhy?\n"),
            "My engine is slow:\n\n[I] a\n\nWhy?\n");
  EXPECT_EQ(plain("~~~\n[I] a\n"), "\n[I] a\n");
  EXPECT_EQ(plain("```\r\n[I] a\r\n```\r\n"), "\n[I] a\r\n\n");
}

TEST(PastedText, OneBlockOfAFileIsAllThatIsLeft) {
  EXPECT_EQ(plain("The layers:\n```json\n{\"Layers\": [\"a\"]}\n```\nThanks\n"),
            "\n\n{\"Layers\": [\"a\"]}\n\n\n");
  EXPECT_EQ(plain("x\n```\nlayerName;execStatus\na;b\n```\ny"),
            "\n\nlayerName;execStatus\na;b\n\n");
  // Two: it is unknown which one is meant.
  EXPECT_THAT(plain("x\n```\n{}\n```\n```\n[1, 2]\n```\n"), HasSubstr("x\n"));
}

TEST(PastedText, IndentationOfALogGoes) {
  EXPECT_EQ(plain("    [07/31/2021-01:48:38] [I] Layer(s):\n    Conv: a -> b\n      more\n"),
            "[07/31/2021-01:48:38] [I] Layer(s):\nConv: a -> b\n  more\n");
}

TEST(PastedText, WhateverStandsBeforeTrtexecsPrefixGoes) {
  EXPECT_EQ(plain("2024-05-24 14:43:21,123 - build - [07/31/2021-01:48:38] [I] a\n"
                  "12: [07/31/2021-01:48:38] [W] b\nc\n"),
            "[07/31/2021-01:48:38] [I] a\n[07/31/2021-01:48:38] [W] b\nc\n");
}

TEST(PastedText, OtherTextsStayAsTheyAre) {
  for (const std::string_view text :
       {"", "\n", "[07/31/2021-01:48:38] [I] a\n    [I] not a prefix\n", "{\"a\": \"```\"}\n",
        "[\n {\"name\": \"> a\"},\n {\"name\": \"> b\"}]\n", "<net>\n> \n> \n</net>",
        "[I] a\n-> {b}\n -> {c}\n",
        "Layer 0    | a [Op: Conv]\nLayer 1    | b [Op: Conv]\nLayer 2    | c\n",
        "layerName;execStatus\na|b;x\na|b;y\na|b;z\n", "a\n    ~~~~~^^^^\n",
        "2024-05-24 14:43:21.1 [W:onnxruntime:, a.cc:1 b] c\n2024-05-24 14:43:21.1 [W:x] d\n"}) {
    EXPECT_FALSE(unwrap(text)) << text;
  }
  EXPECT_FALSE(unwrap(std::string("> a\n> b\n\0", 9))) << "bytes";
}

TEST(PastedText, LinesKeepTheirNumbersAndTheFileSaysSo) {
  const auto decoded = decode(base::make_bytes("> ```\n> [I] a\n> ```\n"), "x");
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->bytes->view(), "\n[I] a\n\n");
  ASSERT_EQ(decoded->diagnostics.size(), 1u);
  EXPECT_EQ(decoded->diagnostics.front().code, "pasted-text");
  EXPECT_THAT(decoded->diagnostics.front().message,
              HasSubstr("quote marks and Markdown fences were removed"));
}

TEST(PastedText, ColorsAndErasedLinesOfCiGo) {
  const auto decoded = decode(
      base::make_bytes("\x1b[0K\x1b[32;1m[07/31/2021-01:48:38] [I] a\x1b[0;m\n\x1b[0Kb\n"), "x");
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->bytes->view(), "[07/31/2021-01:48:38] [I] a\nb\n");
}

TEST(PastedText, LargeTextsTakeLinearTime) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "> [[[[[[ 2024-05-24T14:43:21 | a\tb\n";
  EXPECT_EQ(plain(text).size(), text.size() - 2 * 200'000);
}

}  // namespace
}  // namespace planex::ingest
