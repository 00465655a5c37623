// `planex lint` for one engine: chooses rules, waives findings, writes documents.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lint/run.h"
#include "model/judgements.h"
#include "model/plan_model.h"
#include "planex/session.h"
#include "session/answer/format.h"

namespace planex::session {

struct EngineToLint {
  const model::PlanModel& model;   // complete
  const lint::LintReport& report;  // of all rules, made when the engine was opened
  const model::Judgements& judgements;
};

// The report that the request asks for; nothing if it equals the default report of the engine.
// Errors: kUsage (no such rule, pack or severity); those of the named files.
Result<std::optional<lint::LintReport>> chosen_report(const model::PlanModel& model,
                                                      const model::Judgements& judgements,
                                                      const LintRequest& request);

// The same as data: writers of JSON and rows. Ignores the options that write files. Errors: those,
// and those of `take`.
Result<void> lint(const EngineToLint& engine, const LintRequest& request, const Take& take);

// The same, written. Adds waivers to their file if the request asks for it. Errors: those too, and
// kUsage (no such format, no such finding).
Result<LintResult> lint(const EngineToLint& engine, const LintRequest& request, const View& view);

// Errors: kUsage (no such rule; the message names the nearest), those of the file of rules.
Result<std::string> explain_rule(std::string_view id, const std::optional<std::string>& rules_file,
                                 const View& view);

// All rules. Errors: kUsage (no such format).
Result<std::string> describe_rules(const View& view);

}  // namespace planex::session
