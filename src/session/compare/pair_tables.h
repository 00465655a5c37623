// The pairs of a comparison as tables that queries can join with those of the engines.
#pragma once

#include <string_view>
#include <vector>

#include "analyze/compare/compare.h"
#include "query/query.h"

namespace planex::session {

// One row per pair; one row per layer of a pair.
inline constexpr std::string_view kPairsTable = "pairs";
inline constexpr std::string_view kPairLayersTable = "pair_layers";

// Both tables; without rows if `comparison` is null.
std::vector<query::ExtraTable> pair_tables(const analyze::Comparison* comparison);

}  // namespace planex::session
