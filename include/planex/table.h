// Tables of an engine as typed columns that refer to the engine's memory: nothing is copied.
//
//   const planex::tables::Layers layers = session->engine(0).layers();
//   const planex::Texts names = layers.name();
//   const planex::Reals times = layers.median_ms();
//   for (std::size_t row = 0; row < layers.row_count(); ++row) {
//     if (const auto ms = times[row]) std::cout << names[row] << ' ' << *ms << '\n';
//   }
//
// A column is a view. It lives as long as the session, an Engine of it or the table, and is safe to
// read from many threads. Get it once, before the loop: the table looks it up by name.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "planex/error.h"
#include "planex/visibility.h"

namespace planex {

namespace session {
struct Engine;
}

// The entry in values() for an unknown value.
inline constexpr std::int64_t kNullInteger = std::numeric_limits<std::int64_t>::min();
inline constexpr double kNullReal = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::uint32_t kNullId = std::numeric_limits<std::uint32_t>::max();

inline bool is_null(std::int64_t stored) { return stored == kNullInteger; }
inline bool is_null(double stored) { return std::isnan(stored); }
inline bool is_null(std::uint32_t stored) { return stored == kNullId; }

// One number per row. All functions cost O(1).
template <typename T>
class Numbers {
 public:
  Numbers() = default;
  explicit Numbers(std::span<const T> values) : values_(values) {}

  std::size_t size() const { return values_.size(); }
  bool is_null(std::size_t row) const { return planex::is_null(values_[row]); }
  // Nothing if it is unknown.
  std::optional<T> operator[](std::size_t row) const {
    return is_null(row) ? std::nullopt : std::optional<T>(values_[row]);
  }
  // As stored in memory; kNullInteger, NaN or kNullId for an unknown value.
  std::span<const T> values() const { return values_; }

 private:
  std::span<const T> values_;
};

using Integers = Numbers<std::int64_t>;
using Reals = Numbers<double>;
// Rows of other tables: a layer_id is a row of `layers`.
using Ids = Numbers<std::uint32_t>;

// The memory of a column of texts or lists, for planex's own parts.
struct ColumnPlace {
  const session::Engine* engine = nullptr;
  std::size_t table = 0, column = 0, rows = 0;
};

// One text per row, UTF-8. Words from a fixed list are texts, too.
class PLANEX_EXPORT Texts {
 public:
  Texts() = default;
  explicit Texts(const ColumnPlace& place) : place_(place) {}

  std::size_t size() const { return place_.rows; }
  bool is_null(std::size_t row) const;
  // Empty where it is not known. Lives as long as the column. O(1).
  std::string_view operator[](std::size_t row) const;

 private:
  ColumnPlace place_;
};

// One list of integers per row: dimensions, strides.
class PLANEX_EXPORT IntegerLists {
 public:
  IntegerLists() = default;
  explicit IntegerLists(const ColumnPlace& place) : place_(place) {}

  std::size_t size() const { return place_.rows; }
  // Whether it is unknown. A known list can be empty: the dimensions of a scalar.
  bool is_null(std::size_t row) const;
  // Empty where it is not known. Lives as long as the column. O(1).
  std::span<const std::int64_t> operator[](std::size_t row) const;

 private:
  ColumnPlace place_;
};

// A column whose type is known only at run time.
using Column = std::variant<Integers, Reals, Ids, Texts, IntegerLists>;

// A column in words. Types: int64, double, text, list (of int64).
struct ColumnAbout {
  std::string_view name, type, unit, description;
};

// One table of one engine. planex/tables.h has a class for each, with its columns by name.
class PLANEX_EXPORT Table {
 public:
  // For planex's own parts: a table of the schema by its name.
  Table(std::shared_ptr<const session::Engine> engine, std::string_view name);

  std::string_view table_name() const;
  std::string_view table_description() const;
  std::size_t row_count() const { return row_count_; }
  // In the order of the schema. Views refer to static storage.
  std::vector<ColumnAbout> columns() const;
  // Errors: kUsage: no such column; the message names the nearest.
  Result<Column> column(std::string_view name) const;

 protected:
  // The column if it exists with that type, else one without rows.
  Integers integers(std::string_view name) const;
  Reals reals(std::string_view name) const;
  Ids ids(std::string_view name) const;
  Texts texts(std::string_view name) const;
  IntegerLists lists(std::string_view name) const;

 private:
  template <typename Wanted>
  Wanted typed(std::string_view name) const;

  std::shared_ptr<const session::Engine> engine_;
  std::size_t table_ = 0;
  std::size_t row_count_ = 0;
};

}  // namespace planex
