// The JSON documents of the verbs. Keys are only ever added within a version.
#ifndef PLANEX_RENDER_JSON_DOCUMENTS_H_
#define PLANEX_RENDER_JSON_DOCUMENTS_H_

#include <string>
#include <string_view>

#include "analyze/explain/timing.h"
#include "analyze/summary.h"
#include "lint/run.h"
#include "model/plan_model.h"
#include "render/json/json_writer.h"

namespace planex::render {

// Of the samples' times their figures and bins alone, or also their series.
enum class SampleDetail : std::uint8_t { kFigures, kCourse };

// One value: an object that begins with its "schema".
void write_summary(JsonWriter& json, const model::PlanModel& model,
                   const analyze::Summary& summary);  // planex.summary/2
// planex.timing/2
void write_timing(JsonWriter& json, const model::PlanModel& model, const analyze::Summary& summary,
                  const analyze::TimingExplanation& timing, SampleDetail detail);
void write_lint(JsonWriter& json, const model::PlanModel& model,
                const lint::LintReport& report);  // planex.lint/2

// The members "findings" and "rules" of an object that is open.
void write_lint_members(JsonWriter& json, const model::PlanModel& model,
                        const lint::LintReport& report);

// The members "counts", "suppressed_counts", "waivers", "baseline" and "estimated_ms" of an object
// that is open.
void write_lint_totals(JsonWriter& json, const lint::LintReport& report);

// The member "missing" of an object that is open.
void write_missing(JsonWriter& json, const std::vector<analyze::MissingPiece>& missing);

// The members "end_to_end" and "histogram" of an object that is open.
void write_end_to_end(JsonWriter& json, const analyze::Reconciliation& time);

// Figures alone, or also the lists: phases, steps, excursions, the series over time.
enum class TimingDetail : std::uint8_t { kFigures, kAll };
// The member "steady_state" of an object that is open.
void write_steady_state(JsonWriter& json, const analyze::Summary& summary, TimingDetail detail);

// Documents by themselves, indented, with a line break at their end.
std::string summary_json(const model::PlanModel& model, const analyze::Summary& summary);
std::string timing_json(const model::PlanModel& model, const analyze::Summary& summary,
                        const analyze::TimingExplanation& timing);  // planex.timing/2
std::string lint_json(const model::PlanModel& model, const lint::LintReport& report);
// planex.baseline/1: the findings that are not waived, to be accepted for this reason.
std::string baseline_json(const model::PlanModel& model, const lint::LintReport& report,
                          std::string_view reason);
// One entry of planex.waivers/1, indented, without a line break at its end.
std::string waiver_json(const lint::Waiver& waiver);
// planex.schema/1: every table and column.
std::string schema_json();

}  // namespace planex::render

#endif  // PLANEX_RENDER_JSON_DOCUMENTS_H_
