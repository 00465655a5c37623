#include "arrow/data_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace planex::arrow {
namespace {

using model::Value;

std::string_view text_at(const Column& column, std::size_t row) {
  const auto* offsets = static_cast<const std::int64_t*>(column.offsets.get());
  return {static_cast<const char*>(column.values.get()) + offsets[row],
          static_cast<std::size_t>(offsets[row + 1] - offsets[row])};
}

TEST(DataTable, TakesTheTypeThatAllValuesHave) {
  const model::DataTable table{
      .columns = {{.name = "ints", .unit = "count"}, {.name = "mixed"}, {.name = "texts"}},
      .rows = {{std::int64_t{1}, std::int64_t{1}, std::string("a")},
               {Value{}, 0.5, std::int64_t{3}},
               {std::int64_t{3}, Value{}, 0.25}}};
  const Table result = data_table(table, "query");
  ASSERT_EQ(result.columns.size(), 3U);
  EXPECT_EQ(result.columns[0].kind, Kind::kInt64);
  EXPECT_EQ(result.columns[0].null_count, 1);
  EXPECT_EQ(result.columns[0].unit, "count");
  EXPECT_EQ(result.columns[1].kind, Kind::kDouble);
  EXPECT_EQ(static_cast<const double*>(result.columns[1].values.get())[0], 1.0);
  EXPECT_EQ(result.columns[2].kind, Kind::kText);
  EXPECT_EQ(text_at(result.columns[2], 1), "3");
  EXPECT_EQ(text_at(result.columns[2], 2), "0.25");
}

// Otherwise the type of a column would depend on which rows a condition selects.
TEST(DataTable, KeepsTheDeclaredTypeWhereNothingIsKnown) {
  using model::ColumnType;
  const model::DataTable table{.columns = {{.name = "n", .declared = ColumnType::kInt64},
                                           {.name = "x", .declared = ColumnType::kDouble},
                                           {.name = "t", .declared = ColumnType::kText},
                                           {.name = "unknown"}},
                               .rows = {{Value{}, Value{}, Value{}, Value{}}}};
  const Table result = data_table(table, "query");
  EXPECT_EQ(result.columns[0].kind, Kind::kInt64);
  EXPECT_EQ(result.columns[1].kind, Kind::kDouble);
  EXPECT_EQ(result.columns[2].kind, Kind::kText);
  EXPECT_EQ(result.columns[3].kind, Kind::kText);
  EXPECT_EQ(result.columns[3].null_count, 1);
}

}  // namespace
}  // namespace planex::arrow
