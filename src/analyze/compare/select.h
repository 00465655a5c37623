// Selects pairs to show.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyze/compare/pairs.h"
#include "planex/error.h"

namespace planex::analyze {

// `only` is empty (all), changed (anything differs, or their time by more than noise),
// mismatch-precision, mismatch-tactic, type=T (of either side, as the producer writes it; case does
// not matter), or a word of ChangeKind. Indices of pairs, ascending. Errors: kUsage.
Result<std::vector<std::size_t>> select_pairs(const PairList& list, const model::PlanModel& a,
                                              const model::PlanModel& b, std::string_view only);

}  // namespace planex::analyze
