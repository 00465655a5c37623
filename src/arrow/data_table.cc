#include "arrow/data_table.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>

#include "arrow/column_builder.h"
#include "base/text.h"

namespace planex::arrow {
namespace {

Kind kind_of(const model::DataTable& table, std::size_t column) {
  bool any_integer = false, any_real = false;
  for (const auto& row : table.rows) {
    if (std::holds_alternative<std::string>(row[column])) return Kind::kText;
    any_integer = any_integer || std::holds_alternative<std::int64_t>(row[column]);
    any_real = any_real || std::holds_alternative<double>(row[column]);
  }
  if (any_real) return Kind::kDouble;
  if (any_integer) return Kind::kInt64;
  switch (table.columns[column].declared.value_or(model::ColumnType::kText)) {
    case model::ColumnType::kInt64:
      return Kind::kInt64;
    case model::ColumnType::kDouble:
      return Kind::kDouble;
    case model::ColumnType::kText:
    case model::ColumnType::kList:  // SQL represents lists as JSON texts.
      break;
  }
  return Kind::kText;
}

void push(ColumnBuilder& builder, Kind kind, const model::Value& value) {
  if (std::holds_alternative<std::monostate>(value)) return builder.push_null();
  if (const auto* text = std::get_if<std::string>(&value)) {
    return builder.push(std::string_view(*text));
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (kind == Kind::kInt64) return builder.push(*integer);
    if (kind == Kind::kDouble) return builder.push(static_cast<double>(*integer));
    return builder.push(std::string_view(base::format("{}", *integer)));
  }
  const double real = std::get<double>(value);
  if (kind == Kind::kDouble) return builder.push(real);
  builder.push(std::string_view(base::format("{}", real)));
}

}  // namespace

Table data_table(const model::DataTable& table, std::string_view name) {
  Table result{.name = std::string(name),
               .row_count = static_cast<std::int64_t>(table.rows.size())};
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Kind kind = kind_of(table, i);
    ColumnBuilder builder({.name = table.columns[i].name, .unit = table.columns[i].unit}, kind,
                          table.rows.size());
    for (const auto& row : table.rows) push(builder, kind, row[i]);
    result.columns.push_back(builder.finish());
  }
  return result;
}

}  // namespace planex::arrow
