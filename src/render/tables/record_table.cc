#include "render/tables/record_table.h"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace planex::render {
namespace {

using model::Value;
using record::RowColumn;

struct ToValue {
  Value operator()(std::monostate) const { return std::monostate{}; }
  Value operator()(bool truth) const { return std::int64_t{truth ? 1 : 0}; }
  Value operator()(std::int64_t number) const { return number; }
  Value operator()(double number) const { return number; }
  Value operator()(std::string text) const { return text; }
  Value operator()(const std::vector<std::int64_t>& list) const { return record::list_text(list); }
};

std::vector<Value> values_of(const std::vector<RowColumn>& columns, const void* row,
                             const void* context) {
  std::vector<Value> values;
  values.reserve(columns.size());
  for (const RowColumn& column : columns) {
    values.push_back(std::visit(ToValue{}, record::cell_of(column, row, context)));
  }
  return values;
}

}  // namespace

std::vector<model::DataColumn> table_columns(const record::Record& record) {
  std::vector<model::DataColumn> columns;
  for (const RowColumn& column : record::row_columns(record)) {
    const record::Kind kind = column.field->type.kind;
    const bool is_number = kind == record::Kind::kBool || kind == record::Kind::kInteger ||
                           kind == record::Kind::kReal;
    columns.push_back(
        {std::string(column.field->name), std::string(column.field->unit), is_number});
  }
  return columns;
}

std::vector<Value> table_row(const record::Record& record, const void* object,
                             const void* context) {
  return values_of(record::row_columns(record), object, context);
}

model::DataTable table_of(const record::Rows& rows) {
  model::DataTable table{.columns = table_columns(*rows.record)};
  const std::vector<RowColumn> columns = record::row_columns(*rows.record);
  rows.each([&](const void* row, const void* context) {
    table.rows.push_back(values_of(columns, row, context));
  });
  return table;
}

}  // namespace planex::render
