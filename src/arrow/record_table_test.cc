#include "arrow/record_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace planex::arrow {
namespace {

struct Part {
  std::int64_t id = 0;
};

struct Row {
  bool is_new = false;
  std::optional<std::int64_t> bytes;
  double ms = 0;
  std::string name;
  std::vector<std::int64_t> dims;
  std::vector<std::string> words;
  Part part;
};

const record::Fields<Row>& row_fields() {
  static const auto kFields =
      record::Fields<Row>("Row", "A row.")
          .field("is_new", "", "Truth.", &Row::is_new)
          .field("bytes", "bytes", "Size.", &Row::bytes)
          .field("ms", "ms", "Time.", &Row::ms)
          .maybe("name", "", "Name.", &Row::name)
          .field("dims", "", "Dimensions.", &Row::dims)
          .field("words", "", "Words.", &Row::words)
          .object("part", "A part.",
                  record::Fields<Part>("Part", "A part.").field("id", "", "Its id.", &Part::id),
                  &Row::part)
          .in_tables("id")
          .object("hidden", "No column.",
                  record::Fields<Part>("Part", "A part.").field("id", "", "Its id.", &Part::id),
                  &Row::part);
  return kFields;
}

template <typename T>
T value(const Column& column, std::size_t row) {
  return static_cast<const T*>(column.values.get())[row];
}

TEST(RecordTable, TypesAreThoseOfTheFields) {
  const std::vector<Row> rows = {
      {.is_new = true, .ms = 0.5, .name = "a", .dims = {1, 2}, .words = {"x", "y"}, .part = {7}},
      {.bytes = 3, .ms = std::numeric_limits<double>::infinity()}};
  const Table table = record_table(record::rows_of(rows, row_fields()), "rows");
  EXPECT_EQ(table.name, "rows");
  EXPECT_EQ(table.row_count, 2);
  ASSERT_EQ(table.columns.size(), 7U);
  EXPECT_EQ(table.columns[0].kind, Kind::kBool);
  EXPECT_EQ(table.columns[1].kind, Kind::kInt64);
  EXPECT_EQ(table.columns[1].unit, "bytes");
  EXPECT_EQ(table.columns[1].description, "Size.");
  EXPECT_EQ(table.columns[1].null_count, 1);
  EXPECT_EQ(value<std::int64_t>(table.columns[1], 1), 3);
  EXPECT_EQ(table.columns[2].kind, Kind::kDouble);
  // A value that is not finite is unknown.
  EXPECT_EQ(table.columns[2].null_count, 1);
  EXPECT_EQ(value<double>(table.columns[2], 0), 0.5);
  EXPECT_EQ(table.columns[3].kind, Kind::kText);
  EXPECT_EQ(table.columns[3].null_count, 1);
  EXPECT_EQ(table.columns[4].kind, Kind::kInt64List);
  EXPECT_EQ(table.columns[4].number_count, 2);
  EXPECT_EQ(table.columns[5].kind, Kind::kText);
  EXPECT_EQ(std::string_view(static_cast<const char*>(table.columns[5].values.get()), 4), "x, y");
  EXPECT_EQ(table.columns[6].name, "part");
  EXPECT_EQ(table.columns[6].kind, Kind::kInt64);
  EXPECT_EQ(value<std::int64_t>(table.columns[6], 0), 7);
}

// Otherwise a result without rows would have other types than one with rows.
TEST(RecordTable, WithoutRows) {
  const Table table = record_table(record::rows_of(std::vector<Row>(), row_fields()), "rows");
  EXPECT_EQ(table.row_count, 0);
  ASSERT_EQ(table.columns.size(), 7U);
  EXPECT_EQ(table.columns[2].kind, Kind::kDouble);
}

}  // namespace
}  // namespace planex::arrow
