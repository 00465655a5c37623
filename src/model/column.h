// One column of a table: a vector of one kind of value with its own representation of "not known".
//
// operator[] returns the stored value, get() an optional. Both are O(1); rows are dense.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <ranges>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/string_pool.h"
#include "model/types.h"

namespace planex::model {

// The value that means "not known" in a column of T.
template <typename T>
struct NullOf {
  static constexpr T value = T::kNull;  // enumerations
  static bool is_null(T stored) { return stored == value; }
};
template <>
struct NullOf<std::int64_t> {
  static constexpr std::int64_t value = std::numeric_limits<std::int64_t>::min();
  static bool is_null(std::int64_t stored) { return stored == value; }
};
template <>
struct NullOf<double> {
  static constexpr double value = std::numeric_limits<double>::quiet_NaN();
  static bool is_null(double stored) { return std::isnan(stored); }
};
template <typename Tag>
struct NullOf<base::Id<Tag>> {
  static constexpr base::Id<Tag> value{};
  static bool is_null(base::Id<Tag> stored) { return stored.is_null(); }
};
template <>
struct NullOf<Layout> {
  static constexpr Layout value{};
  static bool is_null(Layout stored) { return stored.order == Order::kNull; }
};

template <typename T>
class Column {
 public:
  using Value = T;

  std::size_t size() const { return values_.size(); }
  const T& operator[](std::size_t row) const { return values_[row]; }
  std::optional<T> get(std::size_t row) const {
    return is_null(row) ? std::nullopt : std::optional<T>(values_[row]);
  }
  bool is_null(std::size_t row) const { return NullOf<T>::is_null(values_[row]); }
  std::span<const T> values() const { return values_; }

  void push_null() { values_.push_back(NullOf<T>::value); }
  void set(std::size_t row, T value) { values_[row] = value; }
  void set(std::size_t row, std::optional<T> value) {
    values_[row] = value.value_or(NullOf<T>::value);
  }
  void reserve(std::size_t rows) { values_.reserve(rows); }
  // Adds the rows of another column, each value mapped by `map`.
  template <typename Map>
  void append(const Column& other, const Map& map) {
    const auto mapped = std::views::transform(other.values_, std::cref(map));
    values_.insert(values_.end(), mapped.begin(), mapped.end());
  }

 private:
  std::vector<T> values_;
};

using Int = Column<std::int64_t>;
using Real = Column<double>;
using Text = Column<base::StringId>;

// A list of integers per row (dims, strides); all rows share one pool.
class IntList {
 public:
  using Value = std::span<const std::int64_t>;

  std::size_t size() const { return rows_.size(); }
  Value operator[](std::size_t row) const {
    const Row& r = rows_[row];
    return r.length == kNullLength ? Value{} : Value(pool_).subspan(r.first, r.length);
  }
  bool is_null(std::size_t row) const { return rows_[row].length == kNullLength; }

  void push_null() { rows_.push_back({}); }
  // Each call appends to the pool, so set a row only once. kNullLength numbers or more make it
  // null.
  void set(std::size_t row, Value values) {
    if (values.size() >= kNullLength) {
      rows_[row] = {};
      return;
    }
    rows_[row] = {static_cast<std::uint32_t>(pool_.size()),
                  static_cast<std::uint16_t>(values.size())};
    pool_.insert(pool_.end(), values.begin(), values.end());
  }
  void reserve(std::size_t rows) {
    constexpr std::size_t kUsualRank = 4;
    rows_.reserve(rows);
    pool_.reserve(rows * kUsualRank);
  }
  template <typename Map>
  void append(const IntList& other, const Map&) {
    const auto first = static_cast<std::uint32_t>(pool_.size());
    const std::size_t first_row = rows_.size();
    rows_.insert(rows_.end(), other.rows_.begin(), other.rows_.end());
    for (Row& row : std::span(rows_).subspan(first_row)) {
      if (row.length != kNullLength) row.first += first;
    }
    pool_.insert(pool_.end(), other.pool_.begin(), other.pool_.end());
  }

  static constexpr std::uint16_t kNullLength = 0xFFFF;

 private:
  struct Row {
    std::uint32_t first = 0;
    std::uint16_t length = kNullLength;
  };

  std::vector<Row> rows_;
  std::vector<std::int64_t> pool_;
};

}  // namespace planex::model
