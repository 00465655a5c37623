#include "render/words/column_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace planex::render {
namespace {

using ::testing::ElementsAre;

using model::Value;

FormattedColumn format(std::string name, std::string unit, std::vector<Value> values) {
  model::DataTable table{
      .columns = {{.name = std::move(name), .unit = std::move(unit), .numeric = true}}};
  for (Value& value : values) table.rows.push_back({std::move(value)});
  return format_columns(table).front();
}

Value integer(std::int64_t value) { return value; }

TEST(ColumnFormat, TimesHaveOneNumberOfDecimals) {
  const FormattedColumn large = format("median_ms", "ms", {12.3456, 0.5, integer(2), Value(), 0.0});
  EXPECT_EQ(large.head, "median ms");
  EXPECT_EQ(large.alignment, Alignment::kRight);
  EXPECT_THAT(large.cells, ElementsAre("12.346", "0.500", "2.000", "–", "0.000"));
  EXPECT_THAT(format("x", "ms", {0.202, 0.095, 0.061, 0.037}).cells,
              ElementsAre("0.2020", "0.0950", "0.0610", "0.0370"));
  EXPECT_THAT(format("x", "ms", {0.711, 0.279}).cells, ElementsAre("0.711", "0.279"));
  EXPECT_THAT(format("x", "ms", {5.0, 0.0001, -0.0001}).cells,
              ElementsAre("5.000", "<0.001", ">−0.001"));
  EXPECT_THAT(format("x", "us", {1234.56}).cells, ElementsAre("1234.6"));
  EXPECT_EQ(format("x_us", "us", {1.0}).head, "x µs");
}

TEST(ColumnFormat, BytesGetOneUnit) {
  const FormattedColumn column = format(
      "weight_bytes", "bytes", {integer(11'699'112), integer(0), integer(9'408), integer(5)});
  EXPECT_EQ(column.head, "weight MB");
  EXPECT_THAT(column.cells, ElementsAre("11.7", "0.0", "<0.1", "<0.1"));
  EXPECT_EQ(format("bytes", "bytes", {integer(12'000)}).head, "kB");
  const FormattedColumn small = format("io_bytes", "bytes", {integer(12), integer(999)});
  EXPECT_EQ(small.head, "io bytes");
  EXPECT_THAT(small.cells, ElementsAre("12", "999"));
  EXPECT_THAT(format("x", "bytes", {1.5e18}).cells, ElementsAre("1500000.0"));
}

TEST(ColumnFormat, OtherUnits) {
  const FormattedColumn share = format("share", "ratio", {0.649, 0.0004, 0.0});
  EXPECT_EQ(share.head, "share %");
  EXPECT_THAT(share.cells, ElementsAre("64.9", "<0.1", "0.0"));
  const FormattedColumn count = format("flops", "count", {integer(3'614), integer(-1'234'567)});
  EXPECT_EQ(count.head, "flops");
  EXPECT_EQ(format("layer_count", "count", {integer(3)}).head, "layers");
  EXPECT_THAT(count.cells, ElementsAre("3\u2009614", "−1\u2009234\u2009567"));
  EXPECT_THAT(format("layer_id", "", {integer(12345)}).cells, ElementsAre("12345"));
  EXPECT_THAT(format("x", "", {1.0, 25.0}).cells, ElementsAre("1", "25"));
  EXPECT_THAT(format("x", "", {123.456, 3.14159}).cells, ElementsAre("123.46", "3.14"));
  EXPECT_EQ(format("sum(median_ms)", "ms", {1.0}).head, "sum(median) ms");
}

TEST(ColumnFormat, OddNumbers) {
  EXPECT_THAT(format("x", "", {1e300, 0.5}).cells, ElementsAre("1e+300", "0.5"));
  EXPECT_THAT(format("x", "ms", {1e300}).cells, ElementsAre("1e+300"));
  EXPECT_THAT(format("x", "ms", {INFINITY, NAN, 1.0}).cells, ElementsAre("inf", "–", "1.000"));
  EXPECT_THAT(format("x", "", {1e-9}).cells, ElementsAre("1e-09"));
  EXPECT_THAT(format("x", "", {}).cells, ElementsAre());
  EXPECT_THAT(format("x", "count", {integer(INT64_MIN)}).cells,
              ElementsAre("−9\u2009223\u2009372\u2009036\u2009854\u2009775\u2009808"));
}

}  // namespace
}  // namespace planex::render
