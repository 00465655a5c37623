// What quantizing lost, in sentences that documents and page share.
#pragma once

#include <string>
#include <vector>

#include "analyze/explain/accuracy.h"
#include "model/plan_model.h"

namespace planex::render {

// What is left at the outputs and whose loss it is, where it begins, where the engine falls behind;
// without figures, the command that makes them. The first is the headline.
std::vector<std::string> accuracy_sentences(const model::PlanModel& model,
                                            const analyze::AccuracyExplanation& explanation);

}  // namespace planex::render
