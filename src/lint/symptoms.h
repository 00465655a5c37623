// One finding per cause: a finding that another finding's fix also removes is its symptom.
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

// For each finding, the one that it is a symptom of (never a symptom itself); null if it stands
// alone. A finding folds into one of lesser depth that is about its layer and about everything that
// it saves.
// Cost: O(layers of all findings · findings of a layer · log layers).
std::vector<std::optional<std::size_t>> fold_symptoms(std::span<const FindingOfRule> findings);

}  // namespace planex::lint
