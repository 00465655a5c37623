// What the documents of lint say (lint/run.h).
#pragma once

#include <string>
#include <vector>

#include "lint/run.h"
#include "model/plan_model.h"
#include "record/fields.h"

namespace planex::render {

struct LintResult {
  LintResult(const model::PlanModel& model, const lint::LintReport& report);

  const model::PlanModel& model;
  const lint::LintReport& report;
  std::vector<std::string> fingerprints;  // parallel to report.findings
};

using LintFields = record::Fields<LintResult, LintResult>;

// One finding: its place in the report's list.
const record::Fields<std::size_t, LintResult>& finding_fields();
// All places of the report's list.
std::vector<std::size_t> finding_rows(const LintResult& result);

// The members "actions", "findings" and "rules".
const LintFields& lint_list_fields();
// The members "counts", "suppressed_counts", "waivers", "baseline" and "estimated_ms".
const LintFields& lint_total_fields();
// planex.lint/2. The context is the result itself.
const record::Document<LintResult, LintResult>& lint_document();

}  // namespace planex::render
