// Tables for other libraries: pandas, polars, pyarrow, DuckDB. See Session::table.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "planex/arrow_abi.h"
#include "planex/error.h"
#include "planex/visibility.h"

namespace planex {

namespace arrow {
struct Table;
}

// A column in words. Types: int64, double, text, list (of int64), bool.
struct ArrowColumn {
  std::string_view name, type, unit, description;
};

// Columns that can be exported through the Arrow C data interface, any number of times.
//
// Integers are int64, reals are double, texts are large_utf8 and lists are large_list of int64. An
// unknown value is null. The metadata of a field has its `unit` and `description`, if any; that of
// the table has `table` and `description`.
//
// Everything exported, and every copy of this object, keeps the data of its columns alive, even
// when the session is closed. Reading is safe from many threads.
class PLANEX_EXPORT ArrowTable {
 public:
  // For planex's own parts.
  explicit ArrowTable(std::shared_ptr<const arrow::Table> table);

  std::string_view name() const;
  std::string_view description() const;
  std::int64_t row_count() const;
  // Views live as long as the table.
  std::vector<ArrowColumn> columns() const;

  // Each fills `out`, which must not contain anything that needs a release. An array is a struct
  // with a child for each column; a stream has one array. Errors: kInternal (no memory).
  Result<void> export_schema(ArrowSchema* out) const;
  Result<void> export_array(ArrowArray* out) const;
  Result<void> export_stream(ArrowArrayStream* out) const;

 private:
  std::shared_ptr<const arrow::Table> table_;
};

}  // namespace planex
