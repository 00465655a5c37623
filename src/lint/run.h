// Runs all rules over a model.
#ifndef PLANEX_LINT_RUN_H_
#define PLANEX_LINT_RUN_H_

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/rule.h"
#include "model/plan_model.h"

namespace planex::lint {

struct Finding {
  std::string_view rule;  // id; static storage
  Severity severity = Severity::kWarning;
  LayerId layer;
  std::string message;
  std::string evidence;
  // What a fix saves per inference, in ms: an upper bound made as `estimate_method` says. Null is
  // "not known", never 0.
  std::optional<double> estimated_ms;
  std::string estimate_method;
  std::string fix;
};

enum class RuleOutcome : std::uint8_t { kFired, kSilent, kSkipped };
std::string_view to_string(RuleOutcome outcome);

struct RuleStatus {
  const RuleInfo* info = nullptr;  // static storage
  RuleOutcome outcome = RuleOutcome::kSilent;
  // Why it was skipped; or what it could not judge although it ran. Empty otherwise.
  std::string reason;
  std::size_t count = 0;  // findings
  // Of its findings; the time of a layer counts once. Null where none has an estimate.
  std::optional<double> estimated_ms;
};

struct LintReport {
  std::vector<Finding> findings;  // rules by estimate, the largest first, then by layer
  std::vector<RuleStatus> rules;  // all rules, in the order of the registry
  std::size_t error_count = 0;
  std::size_t warning_count = 0;
  std::size_t info_count = 0;
  // Of all findings, each layer counted once, at the rule that would save most of it. Rules overlap
  // (a reformat is a finding of its own and the price of what precedes it), so this is less than
  // the sum over rules.
  std::optional<double> estimated_ms;
};

// Shapes: model → findings[F], F unbounded by layers: a layer can have several.
// Units:  ms per inference, from medians, or means where a layer has no median.
// Errors: none; a rule that can't judge says so in `rules`.
// Owns:   its texts; `rule` and `info` are static.
// Cost:   O(rules · (layers + ports)).
LintReport run(const model::PlanModel& model);

// Adds the findings to model.findings, for SQL and the report. Call once per model: rows can't be
// taken back, so a model that has findings is left as it is.
void store(const LintReport& report, model::PlanModel& model);

// All rules: registry.cc.
std::span<const Rule* const> rules();
// By id; null where there is none.
const Rule* find_rule(std::string_view id);

}  // namespace planex::lint

#endif  // PLANEX_LINT_RUN_H_
