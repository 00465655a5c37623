// One finding per cause: what another finding's fix takes away as well is its symptom.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "lint/run.h"

namespace planex::lint {

struct FindingOfRule {
  const Finding* finding = nullptr;
  // RuleInfo::depth of its rule.
  int depth = 0;
};

// Per finding the one whose symptom it is, never a symptom itself; null where it stands alone. A
// finding folds into one of a lesser depth that is about its layer and about all that it saves.
// Cost: O(layers of all findings · findings of a layer · log layers).
std::vector<std::optional<std::size_t>> fold_symptoms(std::span<const FindingOfRule> findings);

}  // namespace planex::lint
