// Columns of the model's tables as fields of their rows, with the units and descriptions that the
// schema has for them.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "model/plan_model.h"
#include "record/fields.h"

namespace planex::render {

using RowFields = record::Fields<std::size_t, model::PlanModel>;

// What the schema says of a column that it has.
const model::ColumnInfo& column_info(std::string_view table, std::string_view column);

// One field: `table` and `column` are those of `info`. Null where the cell is; lists become what
// `as` makes of them.
template <typename Table, typename Column, typename As = std::identity>
RowFields column_field(const model::ColumnInfo& info, Table model::PlanModel::* table,
                       Column Table::* column, As as = {}) {
  const auto cells = [table, column](const model::PlanModel& model) -> const Column& {
    return model.*table.*column;
  };
  if constexpr (std::same_as<Column, model::Text>) {
    return RowFields("", "").maybe(info.name, info.unit, info.description,
                                   [cells](std::size_t row, const model::PlanModel& model) {
                                     return model.text(cells(model)[row]);
                                   });
  } else if constexpr (record::Worded<typename Column::Value>) {
    return RowFields("", "").maybe(
        info.name, info.unit, info.description,
        [cells](std::size_t row, const model::PlanModel& model) { return cells(model)[row]; });
  } else if constexpr (std::same_as<Column, model::IntList>) {
    return RowFields("", "").field(
        info.name, info.unit, info.description,
        [cells, as](std::size_t row, const model::PlanModel& model) {
          return cells(model).is_null(row) ? std::nullopt : std::optional(as(cells(model)[row]));
        });
  } else {
    return RowFields("", "").field(
        info.name, info.unit, info.description,
        [cells](std::size_t row, const model::PlanModel& model) { return cells(model).get(row); });
  }
}

}  // namespace planex::render
