// Findings as a list of what to do: docs/design/0062-one-list-of-actions.md.
#pragma once

#include <span>
#include <vector>

#include "lint/context.h"
#include "lint/run.h"

namespace planex::lint {

struct FindingToMend {
  Finding* finding = nullptr;
  const RuleStatus* rule = nullptr;
};

// Findings that ask for the same edit or option are one action, with the symptoms that fold into
// them. The time of a layer that several actions save counts at the one that saves most by itself;
// one whose saving others do entirely joins the one that does most of it. Findings that are
// suppressed, whose cause is, or that ask for nothing are in none.
// Shapes: places are those of `findings`. Sets Finding::in_action.
// Cost: O(findings · log + layers of all findings).
std::vector<model::Action> find_actions(std::span<const FindingToMend> findings,
                                        const Context& context);

}  // namespace planex::lint
