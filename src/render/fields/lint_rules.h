// planex.lint-rules/1: the rules themselves, whatever they find.
#pragma once

#include <vector>

#include "lint/rule.h"
#include "record/fields.h"

namespace planex::render {

struct LintRule {
  const lint::RuleInfo* info;
};

struct LintRules {
  std::vector<LintRule> rules;
};

const record::Fields<LintRule>& lint_rule_fields();
const record::Document<LintRules>& lint_rules_document();

}  // namespace planex::render
