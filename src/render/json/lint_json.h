// What lint writes for later runs to read.
#pragma once

#include <string>
#include <string_view>

#include "lint/run.h"
#include "model/plan_model.h"
#include "render/json/json_writer.h"

namespace planex::render {

// planex.baseline/1: the findings that are not waived, to be accepted for this reason.
std::string baseline_json(const model::PlanModel& model, const lint::LintReport& report,
                          std::string_view reason);
// One entry of planex.waivers/1, indented, without a line break at its end.
std::string waiver_json(const lint::Waiver& waiver);

}  // namespace planex::render
