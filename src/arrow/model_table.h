// Tables of the model in Arrow's layout.
#pragma once

#include <cstddef>
#include <span>

#include "arrow/table.h"
#include "model/plan_model.h"

namespace planex::arrow {

// schema()[table] of a model that `owner` keeps alive, unchanged. Columns of integers and reals are
// used in place; identities become int64, words and names text. Cost: O(bytes of texts and lists)
// and one bit per value.
Table model_table(const model::PlanModel& model, std::size_t table, const Buffer& owner);

// Some rows of it, in this order; all values are copied.
Table model_table_rows(const model::PlanModel& model, std::size_t table,
                       std::span<const std::size_t> rows);

}  // namespace planex::arrow
