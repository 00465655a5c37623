// A table as Arrow lays it out in memory: what every source of rows is turned into, and what
// export.h hands out.
//
// Not a table of the model and not a result: those know what they mean. Here a column has a name, a
// unit, a description and buffers.
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

// Bytes, and what keeps them there: a buffer of our own, or the engine that they are a part of.
using Buffer = std::shared_ptr<const void>;

struct Column {
  std::string name;
  // As in the schema: ms, us, bytes, ratio, count, or empty.
  std::string unit;
  std::string description;
  Kind kind = Kind::kInt64;
  std::int64_t null_count = 0;
  // A bit a row, the lowest first, 1 where the value is known. Null: all are.
  Buffer validity;
  // kInt64, kDouble: a value a row. kBool: a bit a row. kText: UTF-8. kInt64List: numbers.
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
