// The unit of a result column that is an expression, from its name.
#ifndef PLANEX_QUERY_RESULT_UNITS_H_
#define PLANEX_QUERY_RESULT_UNITS_H_

#include <string>
#include <string_view>

namespace planex::query {

// "sum(l.median_ms)" -> "ms", "total_ms" -> "ms", "count(*)" -> "count", "a + b" -> "". Only what
// keeps the unit counts: sums, means, extremes, rounding of one column.
std::string unit_of_expression(std::string_view name);

}  // namespace planex::query

#endif  // PLANEX_QUERY_RESULT_UNITS_H_
