#include "render/json/table_json.h"

#include <cstddef>
#include <optional>
#include <variant>

namespace planex::render {
namespace {

using model::DataTable;
using model::Value;

std::optional<std::string_view> type_of(const DataTable& table, std::size_t column) {
  bool integers = false;
  bool doubles = false;
  bool texts = false;
  for (const auto& row : table.rows) {
    const Value& value = row[column];
    integers = integers || std::holds_alternative<std::int64_t>(value);
    doubles = doubles || std::holds_alternative<double>(value);
    texts = texts || std::holds_alternative<std::string>(value);
  }
  if (texts) return integers || doubles ? "mixed" : "text";
  if (doubles) return "double";
  if (integers) return "int64";
  return std::nullopt;
}

}  // namespace

void write_table_members(JsonWriter& json, const DataTable& table) {
  json.key("columns").begin_array();
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const model::DataColumn& column = table.columns[i];
    json.begin_object();
    json.member("name", column.name);
    json.member("type", type_of(table, i));
    json.member("unit", column.unit.empty() ? std::nullopt : std::optional(column.unit));
    json.end_object();
  }
  json.end_array();
  json.key("rows").begin_array();
  for (const auto& row : table.rows) {
    json.begin_array();
    for (const Value& value : row) json.value(value);
    json.end_array();
  }
  json.end_array();
}

std::string json_table(const DataTable& table, std::string_view schema, JsonStyle style) {
  JsonWriter json(style);
  json.begin_object();
  json.member("schema", schema);
  write_table_members(json, table);
  json.end_object();
  return json.take() + "\n";
}

}  // namespace planex::render
