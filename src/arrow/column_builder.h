// Builds columns from values, one after another, or from values that already are in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/table.h"

namespace planex::arrow {

struct ColumnAbout {
  std::string_view name, unit, description;
};

// Which rows are known. Nothing is kept before the first null.
class ValidityBuilder {
 public:
  void push(bool is_known) {
    if (!is_known || !bits_.empty()) push_bit(is_known);
    ++size_;
  }
  // Into the column.
  void finish(Column& column) &&;

 private:
  void push_bit(bool is_known);

  std::vector<std::uint8_t> bits_;
  std::int64_t size_ = 0;
  std::int64_t null_count_ = 0;
};

// Accepts one value per row. The kind determines which push() may be called. Cost: each value is
// copied once.
class ColumnBuilder {
 public:
  // `rows`: the expected number, as far as it is known.
  ColumnBuilder(const ColumnAbout& about, Kind kind, std::size_t rows = 0);

  void push_null();
  void push(bool value);
  void push(std::int64_t value);
  void push(double value);
  // Bytes that are not UTF-8 are replaced, as everywhere.
  void push(std::string_view value);
  void push(std::span<const std::int64_t> value);
  // A text literal must not convert to bool.
  void push(const char*) = delete;

  // Once.
  Column finish();

 private:
  Column column_;
  ValidityBuilder validity_;
  std::int64_t size_ = 0;
  std::vector<std::uint8_t> bits_;
  std::vector<std::int64_t> numbers_;
  std::vector<double> reals_;
  std::vector<std::int64_t> offsets_;
  std::string text_;
};

// A column of numbers that are used in place: `owner` keeps them alive. `is_known` says for each
// row whether its value counts; values of other rows are never shown.
template <typename T, typename IsKnown>
Column borrowed_column(const ColumnAbout& about, Kind kind, std::span<const T> values,
                       const Buffer& owner, const IsKnown& is_known) {
  static_assert(sizeof(T) == 8);
  Column column{.name = std::string(about.name),
                .unit = std::string(about.unit),
                .description = std::string(about.description),
                .kind = kind,
                .values = Buffer(owner, values.data())};
  ValidityBuilder validity;
  for (std::size_t row = 0; row < values.size(); ++row) validity.push(is_known(row));
  std::move(validity).finish(column);
  return column;
}

}  // namespace planex::arrow
