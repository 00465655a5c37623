// A user's rule: its findings come from elsewhere (an SQL query), and are handed over to be
// reported, waived and estimated like the others.
#pragma once

#include <string>
#include <vector>

#include "lint/rule.h"

namespace planex::lint {

struct UserRule {
  std::string id;
  Pack pack = Pack::kGeneric;
  Severity severity = Severity::kWarning;
  std::string summary, rationale, fix, source;
  std::vector<FindingDraft> drafts;

  // Views into this rule.
  RuleInfo info() const {
    return {.id = id,
            .pack = pack,
            .severity = severity,
            .summary = summary,
            .rationale = rationale,
            .fix = fix,
            .needs = {},
            .source = source,
            .evidence = "what its SQL returns besides the layer",
            .estimate = "what its SQL returns as estimated_ms"};
  }
};

// Rules and their descriptions: their texts stay valid as long as this lives.
struct UserRules {
  explicit UserRules(std::vector<UserRule> of) : rules(std::move(of)) {
    for (const UserRule& rule : rules) infos.push_back(rule.info());
  }
  UserRules(const UserRules&) = delete;
  UserRules& operator=(const UserRules&) = delete;
  ~UserRules() = default;

  const std::vector<UserRule> rules;
  std::vector<RuleInfo> infos;  // parallel
};

}  // namespace planex::lint
