// Turns findings into a list of what to do: docs/design/0062-one-list-of-actions.md.
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

// Findings that ask for the same edit or option are one action, together with the symptoms that
// fold into them. If several actions save the time of a layer, it counts for the one that saves
// most by itself; an action whose saving others cover entirely joins the one that covers most of
// it. No action contains findings that are suppressed, whose cause is suppressed, or that ask for
// nothing.
// Shapes: places are those of `findings`. Sets Finding::in_action.
// Cost: O(findings · log + layers of all findings).
std::vector<model::Action> find_actions(std::span<const FindingToMend> findings,
                                        const Context& context);

}  // namespace planex::lint
