#include "render/markdown/table_markdown.h"

#include <gtest/gtest.h>

namespace planex::render {
namespace {

using model::Value;

TEST(TableMarkdown, AlignsAndFormats) {
  const model::DataTable table{
      .columns = {{.name = "name"}, {.name = "median_ms", .unit = "ms", .numeric = true}},
      .rows = {{Value("conv1 | relu"), Value(1.25)}, {Value(), Value(0.5)}}};
  EXPECT_EQ(markdown_table(table),
            "| name | median ms |\n| --- | ---: |\n| conv1 \\| relu | 1.250 |\n| – | 0.500 |\n");
  EXPECT_EQ(markdown_table({}), "");
}

TEST(TableMarkdown, TextIsNoMarkup) {
  EXPECT_EQ(markdown_text("a\nb\r\nc"), "a<br>b<br>c");
  EXPECT_EQ(markdown_text("<script>&"), "&lt;script&gt;&amp;");
  EXPECT_EQ(markdown_text("[x](y) *b* `c` ~d~ \\ $e$ #1"),
            "\\[x\\](y) \\*b\\* \\`c\\` \\~d\\~ \\\\ \\$e\\$ \\#1");
  EXPECT_EQ(markdown_text("median_ms __init__"), "median_ms \\_\\_init\\_\\_");
  EXPECT_EQ(markdown_text("\x1b[31m"), "\\\\x1b\\[31m");
}

}  // namespace
}  // namespace planex::render
