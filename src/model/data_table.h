// A small table of owned values: the result of a query, a listing or a comparison, for a renderer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/schema.h"

namespace planex::model {

// monostate is "not known".
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

// An optional number as a value.
template <typename T>
Value value_of(const std::optional<T>& maybe) {
  if (!maybe) return std::monostate{};
  return *maybe;
}

// A text as a value; an empty one is null.
inline Value text_or_null(std::string_view text) {
  if (text.empty()) return std::monostate{};
  return std::string(text);
}

struct DataColumn {
  std::string name;
  // As in the schema: ms, us, bytes, ratio, count, or empty.
  std::string unit;
  // Numbers are right-aligned.
  bool numeric = false;
  // Properties of the column that it shows, independent of its values. Nothing for expressions.
  std::optional<ColumnType> declared = {};
};

struct DataTable {
  std::vector<DataColumn> columns;
  // Row-major: rows[r] has one value per column.
  std::vector<std::vector<Value>> rows;
};

}  // namespace planex::model
