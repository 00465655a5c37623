// The JSON documents of the verbs. Keys are only ever added within a version.
#ifndef PLANEX_RENDER_JSON_DOCUMENTS_H_
#define PLANEX_RENDER_JSON_DOCUMENTS_H_

#include <string>
#include <string_view>

#include "analyze/compare.h"
#include "lint/run.h"
#include "model/plan_model.h"
#include "render/compare/tables.h"
#include "render/json/json_writer.h"

namespace planex::render {

// planex.compare/2. `selected`: the pairs that are written; null: all.
void write_comparison(JsonWriter& json, const analyze::Comparison& comparison,
                      const SelectedPairs* selected = nullptr);

// Documents by themselves, indented, with a line break at their end.
std::string comparison_json(const analyze::Comparison& comparison,
                            const SelectedPairs* selected = nullptr);
// planex.baseline/1: the findings that are not waived, to be accepted for this reason.
std::string baseline_json(const model::PlanModel& model, const lint::LintReport& report,
                          std::string_view reason);
// One entry of planex.waivers/1, indented, without a line break at its end.
std::string waiver_json(const lint::Waiver& waiver);

}  // namespace planex::render

#endif  // PLANEX_RENDER_JSON_DOCUMENTS_H_
