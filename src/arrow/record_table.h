// Rows of described results in Arrow's layout.
#pragma once

#include <string_view>

#include "arrow/table.h"
#include "record/rows.h"

namespace planex::arrow {

// With the types, units and descriptions of the fields, whatever the values are. Lists of integers
// are lists, others texts: "a, b".
// Cost: each value is copied once.
Table record_table(const record::Rows& rows, std::string_view name);

}  // namespace planex::arrow
