// The pairs of a comparison as tables that queries can join with those of the engines.
#ifndef PLANEX_SESSION_PAIR_TABLES_H_
#define PLANEX_SESSION_PAIR_TABLES_H_

#include <vector>

#include "analyze/compare.h"
#include "query/query.h"

namespace planex::session {

// `pairs`, one row a pair, and `pair_layers`, one row for each layer of a pair.
std::vector<query::ExtraTable> pair_tables(const analyze::Comparison& comparison);

}  // namespace planex::session

#endif  // PLANEX_SESSION_PAIR_TABLES_H_
