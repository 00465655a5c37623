// Small models made by hand, for what no real engine shows.
#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/judgements.h"
#include "lint/run.h"
#include "support/small_engine.h"

namespace planex::lint {

using TestPort = test::SmallPort;
using TestLayer = test::SmallLayer;

inline model::PlanModel make_model(std::string_view producer, const std::vector<TestLayer>& layers,
                                   const std::vector<std::string_view>& bindings) {
  return test::small_engine(producer, layers, bindings, {.dims = {1, 64, 56, 56}});
}

// Lints a model as an opened engine is linted: with the judgements of analyses.
inline LintReport run_judged(const model::PlanModel& model) {
  const model::Judgements judgements = analyze::judge(model);
  return run(model, {.judgements = &judgements});
}

// The findings of one rule, from a run without judgements.
inline std::vector<Finding> findings_of(const model::PlanModel& model, std::string_view rule) {
  std::vector<Finding> result;
  for (Finding& finding : run(model).findings) {
    if (finding.rule == rule) result.push_back(std::move(finding));
  }
  return result;
}

inline const RuleStatus& status_of(const LintReport& report, std::string_view rule) {
  return *std::ranges::find(report.rules, rule,
                            [](const RuleStatus& status) { return status.info->id; });
}

}  // namespace planex::lint
