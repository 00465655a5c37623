// The layers of several engines side by side.
#pragma once

#include <span>
#include <vector>

#include "analyze/align/alignment.h"
#include "model/plan_model.h"

namespace planex::analyze {

// What does the same in all engines that have it.
struct AlignedRow {
  // One list an engine, in execution order; empty where it has nothing that does the same.
  std::vector<std::vector<model::LayerId>> layers;
  // The weakest evidence of the row's matches, and the least certainty. kUnmatched and 0 where one
  // engine alone has it.
  MatchBy by = MatchBy::kUnmatched;
  double certainty = 0;
};

// Every layer that does work is in exactly one row. Each engine is aligned with the first; what has
// no match there, with the engine before. Rows are in the execution order of the first engine that
// has them, each behind what runs before it there.
// Cost: that of 2 · engines alignments.
std::vector<AlignedRow> align_rows(std::span<const model::PlanModel* const> engines,
                                   AlignRule rule = AlignRule::kBest);

}  // namespace planex::analyze
