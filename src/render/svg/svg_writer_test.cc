#include "render/svg/svg_writer.h"

#include <gtest/gtest.h>

#include <string>

namespace planex::render {
namespace {

std::string number(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

TEST(SvgWriter, WritesNumbersShortAndTheSameEverywhere) {
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(number(12), "12");
  EXPECT_EQ(number(12.5), "12.5");
  EXPECT_EQ(number(12.05), "12.05");
  EXPECT_EQ(number(-0.25), "-0.25");
  EXPECT_EQ(number(0.004), "0");
  EXPECT_EQ(number(99.999), "100");
  EXPECT_EQ(number(123456789.5), "123456789.5");
}

TEST(SvgWriter, EscapesEverythingButItsOwnElements) {
  std::string text;
  const DocumentSink sink = [&](std::string_view piece) -> Result<void> {
    text += piece;
    return {};
  };
  SvgWriter svg(sink);
  svg.open("g").attribute("id", "a\"><script>\n&").title("</title><script>alert(1)</script>");
  svg.open("text").attribute("x", 1.5).text("a < b & c > \"d\"\n").close();
  svg.open("path").close().close();
  ASSERT_TRUE(svg.finish().has_value());
  EXPECT_EQ(text,
            "<g id=\"a&quot;&gt;&lt;script&gt;&#10;&amp;\">"
            "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>"
            "<text x=\"1.5\">a &lt; b &amp; c &gt; &quot;d&quot;\n</text><path/></g>");
}

TEST(SvgWriter, StopsAtTheFirstErrorOfTheSink) {
  int calls = 0;
  const DocumentSink sink = [&](std::string_view) -> Result<void> {
    ++calls;
    return fail(ErrorCode::kIo, "full");
  };
  SvgWriter svg(sink);
  svg.open("svg");
  const std::string words(1000, 'x');
  for (int i = 0; i < 1000; ++i) svg.open("text").text(words).close();
  svg.close();
  const auto result = svg.finish();
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message, "full");
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace planex::render
