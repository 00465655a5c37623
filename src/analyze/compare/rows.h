// Layers of any number of engines side by side.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analyze/compare/pairs.h"

namespace planex::analyze {

// Layers that do the same in all engines; both lists have one entry per engine.
struct EngineRow {
  std::vector<std::vector<model::LayerId>> layers;  // empty where an engine has none
  // Sums over layers that have a time; null where none has.
  std::vector<std::optional<Femtoseconds>> times;
};

// `to_first[i]` has the pairs of the first engine (a) with engine i + 1 (b). Layers of the first
// engine that any other engine executes as one are in one row. What the first engine does not have
// is in separate rows, after what precedes it. Each layer is in one row. O(layers · log).
std::vector<EngineRow> merge_rows(std::span<const PairList* const> to_first);

}  // namespace planex::analyze
