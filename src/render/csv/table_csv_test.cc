#include "render/csv/table_csv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace planex::render {
namespace {

using model::DataTable;
using model::Value;

std::string field(Value value) {
  const std::string csv = csv_table({.columns = {{.name = "x"}}, .rows = {{std::move(value)}}});
  return csv.substr(3, csv.size() - 5);
}

TEST(TableCsv, QuotesWhatNeedsIt) {
  const DataTable table{
      .columns = {{.name = "name"}, {.name = "median_ms", .unit = "ms", .numeric = true}},
      .rows = {{Value("a,b"), Value(0.1)},
               {Value("say \"hi\""), Value(std::int64_t{-3})},
               {Value("two\nlines"), Value()},
               {Value(""), Value(NAN)}}};
  EXPECT_EQ(
      csv_table(table),
      "name,median_ms\r\n\"a,b\",0.1\r\n\"say \"\"hi\"\"\",-3\r\n\"two\nlines\",\r\n\"\",\r\n");
}

TEST(TableCsv, TextsAreNoFormulas) {
  EXPECT_EQ(field("=1+1"), "'=1+1");
  EXPECT_EQ(field("+x"), "'+x");
  EXPECT_EQ(field("-x"), "'-x");
  EXPECT_EQ(field("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(field("\tx"), "'\tx");
  EXPECT_EQ(field("\rx"), "\"'\rx\"");
  EXPECT_EQ(field("=HYPERLINK(\"x\",1)"), "\"'=HYPERLINK(\"\"x\"\",1)\"");
  EXPECT_EQ(field(-1.5), "-1.5");
  EXPECT_EQ(field("a=b"), "a=b");
}

TEST(TableCsv, DoublesComeBack) {
  for (const double value :
       {0.1, 1.0 / 3, 5e-324, std::numeric_limits<double>::max(), 1e21, -0.0}) {
    const std::string text = field(value);
    EXPECT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
  }
}

}  // namespace
}  // namespace planex::render
