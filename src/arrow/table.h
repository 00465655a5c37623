// A table in Arrow's memory layout: every source of rows is converted to it, and export.h exports
// it.
//
// This is neither a table of the model nor a result: those know what they mean. Here a column has a
// name, a unit, a description and buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace planex::arrow {

enum class Kind : std::uint8_t { kBool, kInt64, kDouble, kText, kInt64List };
std::string_view to_string(Kind kind);

// Bytes, and the object that keeps them alive: a buffer of our own, or the engine that they are a
// part of.
using Buffer = std::shared_ptr<const void>;

struct Column {
  std::string name;
  // As in the schema: ms, us, bytes, ratio, count, or empty.
  std::string unit;
  std::string description;
  Kind kind = Kind::kInt64;
  std::int64_t null_count = 0;
  // One bit per row, lowest bit first, 1 where the value is known. Null: all are known.
  Buffer validity;
  // kInt64, kDouble: one value per row. kBool: one bit per row. kText: UTF-8. kInt64List: numbers.
  Buffer values;
  // kText, kInt64List: where each row begins in `values`, and where the last one ends; int64.
  Buffer offsets;
  // kInt64List: how many numbers there are.
  std::int64_t number_count = 0;
};

struct Table {
  std::string name;
  std::string description;
  std::int64_t row_count = 0;
  std::vector<Column> columns;
};

}  // namespace planex::arrow
