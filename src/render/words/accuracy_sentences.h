// What quantizing lost, in sentences that the documents and the page share.
#pragma once

#include <string>
#include <vector>

#include "analyze/explain/accuracy.h"
#include "model/plan_model.h"

namespace planex::render {

// The accuracy left at the outputs and where the loss comes from, where it begins, where the engine
// falls behind; without figures, the command that produces them. The first sentence is the
// headline.
std::vector<std::string> accuracy_sentences(const model::PlanModel& model,
                                            const analyze::AccuracyExplanation& explanation);

}  // namespace planex::render
