// What quantizing lost, for an engine with the records of planex quantize and planex accuracy: a
// part of the report's data.
#pragma once

#include "analyze/explain/accuracy.h"
#include "record/fields.h"

namespace planex::render {

// planex.report-accuracy/1
const record::Document<analyze::AccuracyExplanation, model::PlanModel>& report_accuracy_document();

}  // namespace planex::render
