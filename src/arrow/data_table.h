// Results that are rows of values as Arrow has them.
#pragma once

#include <string_view>

#include "arrow/table.h"
#include "model/data_table.h"

namespace planex::arrow {

// The type of a column is the one that all its values have: text where some are texts, else double
// where some are reals. Where no value is known it is the declared one, else text.
// Cost: each value is copied once.
Table data_table(const model::DataTable& table, std::string_view name);

}  // namespace planex::arrow
