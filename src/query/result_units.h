// The unit of a result column that is an expression, from its name.
#pragma once

#include <string>
#include <string_view>

namespace planex::query {

// "sum(l.median_ms)" -> "ms", "total_ms" -> "ms", "count(*)" -> "count", "a + b" -> "". Only
// operations that keep the unit count: sums, means, extremes, rounding of one column.
std::string unit_of_expression(std::string_view name);

}  // namespace planex::query
