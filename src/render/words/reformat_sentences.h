// Sentences about a conversion: why it is there, and what to do. The same words in the terminal,
// JSON, CSV and Markdown.
#pragma once

#include <string>

#include "analyze/reformats/reformats.h"
#include "model/plan_model.h"

namespace planex::render {

// A clause without a full stop: `"conv2" computes in INT8 and writes FP16`.
std::string reformat_cause(const model::PlanModel& model, const analyze::ReformatRow& row);
// A sentence without a full stop: `Put one Q/DQ pair on "x" ...`.
std::string reformat_advice(const model::PlanModel& model, const analyze::ReformatRow& row);

}  // namespace planex::render
