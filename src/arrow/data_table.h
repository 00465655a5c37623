// Results that are rows of values, in Arrow's layout.
#pragma once

#include <string_view>

#include "arrow/table.h"
#include "model/data_table.h"

namespace planex::arrow {

// The type of a column is the one that fits all its values: text where some are texts, else double
// where some are reals. Where no value is known, it is the declared type, else text. Cost: each
// value is copied once.
Table data_table(const model::DataTable& table, std::string_view name);

}  // namespace planex::arrow
