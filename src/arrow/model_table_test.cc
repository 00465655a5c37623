#include "arrow/model_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "support/small_engine.h"
#include "support/test_data.h"

namespace planex::arrow {
namespace {

bool is_known(const Column& column, std::size_t row) {
  if (column.validity == nullptr) return true;
  const auto* bits = static_cast<const std::uint8_t*>(column.validity.get());
  return ((bits[row / 8] >> (row % 8)) & 1U) != 0;
}

// The cell in the form of the model's table, read from Arrow's buffers.
model::Cell cell_of(const Column& column, std::size_t row) {
  if (!is_known(column, row)) return {};
  const auto* offsets = static_cast<const std::int64_t*>(column.offsets.get());
  const auto size_of = [offsets](std::size_t at) {
    return static_cast<std::size_t>(offsets[at + 1] - offsets[at]);
  };
  switch (column.kind) {
    case Kind::kInt64:
      return static_cast<const std::int64_t*>(column.values.get())[row];
    case Kind::kDouble:
      return static_cast<const double*>(column.values.get())[row];
    case Kind::kText:
      return std::string_view(static_cast<const char*>(column.values.get()) + offsets[row],
                              size_of(row));
    case Kind::kInt64List:
      return std::span<const std::int64_t>(
          static_cast<const std::int64_t*>(column.values.get()) + offsets[row], size_of(row));
    case Kind::kBool:
      break;
  }
  ADD_FAILURE() << "the model has no column of this kind";
  return {};
}

bool is_same(const model::Cell& a, const model::Cell& b) {
  const auto* list = std::get_if<std::span<const std::int64_t>>(&a);
  const auto* other = std::get_if<std::span<const std::int64_t>>(&b);
  if (list != nullptr && other != nullptr) return std::ranges::equal(*list, *other);
  if (list != nullptr || other != nullptr || a.index() != b.index()) return false;
  return std::visit(
      [&b]<typename T>(const T& value) {
        if constexpr (std::is_same_v<T, std::span<const std::int64_t>>)
          return false;
        else
          return value == std::get<T>(b);
      },
      a);
}

void expect_same_table(const model::PlanModel& model, std::size_t index, const Table& table,
                       std::span<const std::size_t> rows) {
  const model::TableView view(model, index);
  ASSERT_EQ(table.columns.size(), view.info().columns.size());
  ASSERT_EQ(table.row_count, static_cast<std::int64_t>(rows.size()));
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::int64_t null_count = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const model::Cell expected = view.cell(c, rows[i]);
      if (std::holds_alternative<std::monostate>(expected)) ++null_count;
      ASSERT_TRUE(is_same(cell_of(table.columns[c], i), expected))
          << table.name << "." << table.columns[c].name << " row " << i;
    }
    EXPECT_EQ(table.columns[c].null_count, null_count) << table.columns[c].name;
    EXPECT_EQ(table.columns[c].description, view.info().columns[c].description);
    EXPECT_EQ(table.columns[c].unit, view.info().columns[c].unit);
  }
}

// Every table, column and cell of every available engine.
TEST(ModelTable, HasEveryCellOfEveryTable) {
  PLANEX_NEED_TEST_DATA(data);
  for (const char* name : test::kReadableEngines) {
    const model::PlanModel model = test::must(test::load_engine(data, name));
    for (std::size_t table = 0; table < model::schema().size(); ++table) {
      SCOPED_TRACE(name);
      std::vector<std::size_t> rows(model::TableView(model, table).row_count());
      for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = row;
      expect_same_table(model, table, model_table(model, table, nullptr), rows);
      std::erase_if(rows, [](std::size_t row) { return row % 3 == 0; });
      expect_same_table(model, table, model_table_rows(model, table, rows), rows);
    }
  }
}

TEST(ModelTable, CopiesNoNumbersAndKeepsTheModel) {
  auto model = std::make_shared<model::PlanModel>(
      test::small_engine("tensorrt",
                         {{.name = "a",
                           .type = "Convolution",
                           .inputs = {{"x"}},
                           .outputs = {{"y"}},
                           .median_ms = 0.5},
                          {.name = "b", .type = "Pooling", .inputs = {{"y"}}, .outputs = {{"z"}}}},
                         {"x", "z"}, {.dims = {1, 3, 8, 8}}));
  const std::weak_ptr<model::PlanModel> watched = model;
  const void* medians = model->layers.median_ms.values().data();
  const void* streams = model->layers.stream.values().data();
  Table table = model_table(*model, *model::find_table("layers"), model);
  for (const Column& column : table.columns) {
    if (column.name == "median_ms") {
      EXPECT_EQ(column.values.get(), medians);
      EXPECT_EQ(column.null_count, 1);
    }
    if (column.name == "stream") {
      EXPECT_EQ(column.values.get(), streams);
    }
  }
  model.reset();
  EXPECT_FALSE(watched.expired());
  table = {};
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace planex::arrow
