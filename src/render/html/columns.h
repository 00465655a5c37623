// Columns of integers in the report's data.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "render/json/json_writer.h"

namespace planex::render {

// Integers as differences, each from the one before: rows that count up become ones, which pack
// well. A column that is `usual` throughout is left out.
template <typename Rows, typename Value>
void write_column(JsonWriter& json, std::string_view name, const Rows& rows, std::int64_t usual,
                  const Value& value) {
  std::vector<std::int64_t> values;
  values.reserve(rows.size());
  bool is_usual = true;
  for (const auto& row : rows) {
    values.push_back(value(row));
    is_usual = is_usual && values.back() == usual;
  }
  if (is_usual) return;
  json.key(name).begin_array();
  std::int64_t before = 0;
  for (const std::int64_t now : values) {
    json.value(now - before);
    before = now;
  }
  json.end_array();
}

// Integers or null, unchanged, for values of which one says nothing about the next; left out if all
// are null.
template <typename Rows, typename Value>
void write_measures(JsonWriter& json, std::string_view name, const Rows& rows, const Value& value) {
  std::vector<std::optional<std::int64_t>> values;
  values.reserve(rows.size());
  bool has_any = false;
  for (const auto& row : rows) {
    values.push_back(value(row));
    has_any = has_any || values.back().has_value();
  }
  if (!has_any) return;
  json.key(name).begin_array();
  for (const auto& now : values) json.value(now);
  json.end_array();
}

}  // namespace planex::render
