#include "model/plan_model.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <variant>

namespace planex::model {
namespace {

// A value for each kind of column, made from a number that no other column of the table has.
void fill(PlanModel&, Int& column, int number) { column.set(0, std::int64_t{number}); }
void fill(PlanModel&, Real& column, int number) { column.set(0, number + 0.5); }
void fill(PlanModel& model, Text& column, int number) {
  column.set(0, model.strings.intern("text " + std::to_string(number)));
}
void fill(PlanModel&, IntList& column, int number) {
  const std::int64_t list[] = {number, -1};
  column.set(0, list);
}
template <typename Tag>
void fill(PlanModel&, Column<base::Id<Tag>>& column, int number) {
  column.set(0, base::Id<Tag>(static_cast<std::size_t>(number)));
}
void fill(PlanModel&, Column<Layout>& column, int) { column.set(0, {Order::kLinear, 1, false}); }
template <typename E>
void fill(PlanModel&, Column<E>& column, int) {
  column.set(0, static_cast<E>(0));
}

ColumnType type_of(const Cell& cell) {
  switch (cell.index()) {
    case 1:
      return ColumnType::kInt64;
    case 2:
      return ColumnType::kDouble;
    case 4:
      return ColumnType::kList;
    default:
      return ColumnType::kText;
  }
}

TEST(Schema, NamesAreUniqueAndDescribed) {
  std::set<std::string_view> tables;
  for (std::size_t index = 0; index < schema().size(); ++index) {
    const TableInfo& table = schema()[index];
    EXPECT_TRUE(tables.insert(table.name).second) << table.name;
    EXPECT_EQ(find_table(table.name), index);
    EXPECT_FALSE(table.description.empty());
    std::set<std::string_view> columns;
    for (const ColumnInfo& column : table.columns) {
      EXPECT_TRUE(columns.insert(column.name).second) << table.name << "." << column.name;
      EXPECT_TRUE(column.description.ends_with('.')) << table.name << "." << column.name;
      EXPECT_FALSE(to_string(column.type).empty());
      // Columns carry their unit in the name.
      if (column.unit == "ms" && column.name != "ms") {
        EXPECT_TRUE(column.name.ends_with("_ms")) << column.name;
      }
      if (column.unit == "bytes" && column.name != "bytes") {
        EXPECT_TRUE(column.name.ends_with("_bytes") || column.name.ends_with("_offset"))
            << column.name;
      }
    }
  }
  EXPECT_EQ(find_table("no_such_table"), std::nullopt);
}

#define PLANEX_FILL_COLUMN(kind, name, unit, description) fill(model, model_table.name, ++number);

TEST(TableView, ShowsEveryColumnOfEveryTable) {
  PlanModel model;
#define PLANEX_FILL_TABLE(Struct, table, COLUMNS, description) \
  {                                                            \
    Struct& model_table = model.table;                         \
    EXPECT_EQ(model_table.add_row(), 0u);                      \
    EXPECT_EQ(model_table.add_row(), 1u);                      \
    int number = 0;                                            \
    COLUMNS(PLANEX_FILL_COLUMN)                                \
  }
  PLANEX_TABLES(PLANEX_FILL_TABLE)
#undef PLANEX_FILL_TABLE
  for (std::size_t index = 0; index < schema().size(); ++index) {
    const TableView view(model, index);
    SCOPED_TRACE(view.info().name);
    ASSERT_EQ(view.row_count(), 2u);
    for (std::size_t column = 0; column < view.info().columns.size(); ++column) {
      const ColumnInfo& info = view.info().columns[column];
      SCOPED_TRACE(info.name);
      const Cell cell = view.cell(column, 0);
      ASSERT_FALSE(std::holds_alternative<std::monostate>(cell));
      EXPECT_EQ(type_of(cell), info.type);
      const auto number = static_cast<std::int64_t>(column + 1);
      if (const auto* value = std::get_if<std::int64_t>(&cell)) {
        EXPECT_EQ(*value, number);
      }
      if (const auto* value = std::get_if<double>(&cell)) {
        EXPECT_EQ(*value, static_cast<double>(number) + 0.5);
      }
      if (const auto* value = std::get_if<std::string_view>(&cell)) {
        EXPECT_FALSE(value->empty());
        const bool is_word = !value->starts_with("text ");
        EXPECT_TRUE(is_word || *value == "text " + std::to_string(number)) << *value;
      }
      if (const auto* value = std::get_if<std::span<const std::int64_t>>(&cell)) {
        ASSERT_EQ(value->size(), 2u);
        EXPECT_EQ((*value)[0], number);
      }
      // The second row was left unchanged.
      EXPECT_TRUE(std::holds_alternative<std::monostate>(view.cell(column, 1)));
    }
  }
}

}  // namespace
}  // namespace planex::model
