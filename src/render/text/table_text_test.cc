#include "render/text/table_text.h"

#include <gtest/gtest.h>

#include <sstream>

#include "render/words/display_width.h"

namespace planex::render {
namespace {

using model::DataTable;
using model::Value;

DataTable layers() {
  return {.columns = {{.name = "name"},
                      {.name = "type"},
                      {.name = "precision"},
                      {.name = "median_ms", .unit = "ms", .numeric = true},
                      {.name = "share", .unit = "ratio", .numeric = true},
                      {.name = "weight_bytes", .unit = "bytes", .numeric = true}},
          .rows = {{Value("conv1.weight + QuantizeLinear_7 + Conv_9"), Value("Convolution"),
                    Value("INT8"), Value(1.202), Value(0.184), Value(std::int64_t{9408})},
                   {Value("MaxPool_12"), Value("Pooling"), Value("FP32"), Value(0.095),
                    Value(0.087), Value()},
                   {Value("Reformatting CopyNode for Output Tensor 0 to MaxPool_12"),
                    Value("Reformat"), Value("FP32"), Value(0.0367), Value(0.034), Value()}}};
}

TEST(TableText, WideAsItTakes) {
  const std::string expected =
      "name                                                     type         precision  median ms"
      "  share %  weight kB\n"
      "conv1.weight + QuantizeLinear_7 + Conv_9                 Convolution  INT8           1.202"
      "     18.4       9.41\n"
      "MaxPool_12                                               Pooling      FP32           0.095"
      "      8.7          –\n"
      "Reformatting CopyNode for Output Tensor 0 to MaxPool_12  Reformat     FP32           0.037"
      "      3.4          –\n";
  EXPECT_EQ(text_table(layers(), {}), expected);
  EXPECT_EQ(text_table(layers(), {.width = 20, .wide = true}), expected);
}

TEST(TableText, LongNamesLoseTheirMiddle) {
  // Heads that are wider than their cells go on two lines first.
  EXPECT_EQ(text_table(layers(), {.width = 80}),
            "                                                           median  share  weight\n"
            "name                               type         precision      ms      %      kB\n"
            "conv1.weight + Qua…ear_7 + Conv_9  Convolution  INT8        1.202   18.4    9.41\n"
            "MaxPool_12                         Pooling      FP32        0.095    8.7       –\n"
            "Reformatting CopyN… to MaxPool_12  Reformat     FP32        0.037    3.4       –\n");
  // Names that fit stay whole while longer ones are cut.
  EXPECT_EQ(text_table(layers(), {.width = 100, .indent = 2}),
            "                                                                               median"
            "  share  weight\n"
            "  name                                                 type         precision      ms"
            "      %      kB\n"
            "  conv1.weight + QuantizeLinear_7 + Conv_9             Convolution  INT8        1.202"
            "   18.4    9.41\n"
            "  MaxPool_12                                           Pooling      FP32        0.095"
            "    8.7       –\n"
            "  Reformatting CopyNode for Ou…Tensor 0 to MaxPool_12  Reformat     FP32        0.037"
            "    3.4       –\n");
}

TEST(TableText, NamesKeepAQuarterOfTheLine) {
  DataTable table = layers();
  for (auto& row : table.rows) row[1] = Value("a type with a long name of its own");
  std::istringstream lines(text_table(table, {.width = 100}));
  std::string heads;
  for (int i = 0; i < 2; ++i) std::getline(lines, heads);
  EXPECT_GE(heads.find("type"), 25U) << heads;
}

TEST(TableText, ColumnsThatDoNotFitAreNamed) {
  EXPECT_EQ(text_table(layers(), {.width = 50}),
            "                                            median\n"
            "name                type         precision      ms\n"
            "conv1.wei…+ Conv_9  Convolution  INT8        1.202\n"
            "MaxPool_12          Pooling      FP32        0.095\n"
            "Reformatt…xPool_12  Reformat     FP32        0.037\n"
            "… 2 more columns (--wide): share %, weight kB\n");
}

TEST(TableText, OneRowStandsUpright) {
  DataTable table = layers();
  table.rows.resize(1);
  EXPECT_EQ(text_table(table, {.width = 40}),
            "name       conv1.weight + …ar_7 + Conv_9\n"
            "type       Convolution\n"
            "precision  INT8\n"
            "median ms  1.202\n"
            "share %    18.4\n"
            "weight kB  9.41\n");
}

TEST(TableText, NoLineIsTooLong) {
  DataTable table = layers();
  table.rows.push_back({Value("卷积卷积卷积卷积卷积卷积卷积卷积 🚀🚀🚀🚀🚀🚀🚀🚀"),
                        Value("e\u0301e\u0301"), Value("\x1b[31mFP8\n"), Value(), Value(),
                        Value()});
  for (int width = 1; width < 130; ++width) {
    for (const int indent : {0, 2}) {
      std::istringstream lines(text_table(table, {.width = width, .indent = indent}));
      for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(display_width(line), static_cast<std::size_t>(std::max(width, indent + 1)))
            << line;
        EXPECT_EQ(printable(line), line);
      }
    }
  }
}

TEST(TableText, ColorOnlyAdds) {
  const std::string colored = text_table(layers(), {.width = 80, .color = true});
  std::string plain;
  for (std::size_t i = 0; i < colored.size(); ++i) {
    if (colored[i] == '\x1b') {
      i = colored.find('m', i);
    } else {
      plain += colored[i];
    }
  }
  EXPECT_NE(colored, plain);
  EXPECT_EQ(plain, text_table(layers(), {.width = 80}));
}

TEST(TableText, EmptyTables) {
  EXPECT_EQ(text_table({.columns = {{.name = "layer_id"}}}, {.indent = 2}),
            "  layer id\n  no rows\n");
  EXPECT_EQ(text_table({}, {.width = 80}), "\nno rows\n");
}

}  // namespace
}  // namespace planex::render
