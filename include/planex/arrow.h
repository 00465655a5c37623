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

// Columns that can be handed out through the Arrow C data interface, as often as they are wanted.
//
// Integers are int64, reals are double, texts are large_utf8 and lists are large_list of int64. An
// unknown value is null. The metadata of a field has its `unit` and `description`, where it has
// them; that of the whole has `table` and `description`.
//
// Whatever is handed out, and every copy of this, keeps alive what its columns lie in: the session
// may be gone by then. Reading is safe from many threads.
class PLANEX_EXPORT ArrowTable {
 public:
  // For planex's own parts.
  explicit ArrowTable(std::shared_ptr<const arrow::Table> table);

  std::string_view name() const;
  std::string_view description() const;
  std::int64_t row_count() const;
  // Views live as long as the table.
  std::vector<ArrowColumn> columns() const;

  // Each fills `out`, which must have nothing in it that needs a release. An array is a struct with
  // a child for each column; a stream has one array. Errors: kInternal (no memory).
  Result<void> export_schema(ArrowSchema* out) const;
  Result<void> export_array(ArrowArray* out) const;
  Result<void> export_stream(ArrowArrayStream* out) const;

 private:
  std::shared_ptr<const arrow::Table> table_;
};

}  // namespace planex
