// Columns of the model's tables as fields of their rows, with the units and descriptions that the
// schema has for them.
#ifndef PLANEX_RENDER_FIELDS_COLUMNS_H_
#define PLANEX_RENDER_FIELDS_COLUMNS_H_

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
  const auto value = [table, column, as](std::size_t row, const model::PlanModel& model) {
    const Column& cells = model.*table.*column;
    if constexpr (std::same_as<Column, model::Text>) {
      return model.text(cells[row]);
    } else if constexpr (std::same_as<Column, model::IntList>) {
      return cells.is_null(row) ? std::nullopt : std::optional(as(cells[row]));
    } else {
      return cells.get(row);
    }
  };
  if constexpr (std::same_as<Column, model::Text>) {
    return RowFields("", "").maybe(info.name, info.unit, info.description, value);
  } else {
    return RowFields("", "").field(info.name, info.unit, info.description, value);
  }
}

}  // namespace planex::render

#endif  // PLANEX_RENDER_FIELDS_COLUMNS_H_
