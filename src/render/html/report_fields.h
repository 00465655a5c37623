// What the report's data contain (render/html/report_html.h): planex.report/2. Tables of the model,
// graphs, pairs and the ledger are packed in forms of their own (docs/reference/report-data.md);
// their writers put them between the members that are described here.
#pragma once

#include "record/fields.h"
#include "render/fields/lint.h"
#include "render/fields/timing.h"
#include "render/html/report_html.h"

namespace planex::render {

// Results that an engine's members are made from.
struct ReportEngineContext {
  TimingResult timing;
  LintResult lint;
};

using ReportEngineFields = record::Fields<ReportEngine, ReportEngineContext>;

// "generator".
const record::Fields<ReportParts>& report_head_fields();
// The members before "tables" and "graph", and those after them.
const ReportEngineFields& report_engine_head_fields();
const ReportEngineFields& report_engine_tail_fields();
// For the comparison, the members before and after "engine_pairs", "ledger" and "strings".
const record::Fields<analyze::Comparison>& report_comparison_head_fields();
const record::Fields<analyze::Comparison>& report_comparison_tail_fields();
// planex.report/2
const record::Document<ReportParts>& report_document();

}  // namespace planex::render
