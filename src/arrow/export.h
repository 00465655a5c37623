// Tables through the Arrow C data interface.
// Format: https://arrow.apache.org/docs/format/CDataInterface.html
#pragma once

#include <memory>

#include "arrow/table.h"
#include "planex/arrow_abi.h"

namespace planex::arrow {

// Each fills `out`, whose release function frees what was made for it and releases the table. A
// child can be moved out of a schema or an array, and outlives it. Throws std::bad_alloc, with
// `out` unchanged.
void export_schema(const Table& table, ArrowSchema* out);
// A struct with one child for each column. The columns' buffers are not copied.
void export_array(const Table& table, ArrowArray* out);
// One array, then the end.
void export_stream(std::shared_ptr<const Table> table, ArrowArrayStream* out);

}  // namespace planex::arrow
