// Findings as SARIF 2.1.0, the format that code scanning and editors read.
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
#pragma once

#include <string>

#include "lint/run.h"
#include "model/plan_model.h"

namespace planex::render {

// One run of one engine. A layer is a logical location in the artifact that contains the layers; a
// finding that is waived or in a baseline is a result with a suppression; a rule that could not run
// is a notification.
std::string lint_sarif(const model::PlanModel& model, const lint::LintReport& report);

}  // namespace planex::render
