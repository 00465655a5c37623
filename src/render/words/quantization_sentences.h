// Sentences about an engine's quantization: the same words in the terminal, JSON and Markdown.
#pragma once

#include <string>

#include "analyze/quantization/quantization.h"
#include "model/plan_model.h"

namespace planex::render {

// The answer in one sentence: "21 of 21 layers that the model quantizes run in float: …".
std::string quantization_headline(const analyze::QuantizationExplanation& explanation);
// "The model has 54 QuantizeLinear and 76 DequantizeLinear operations (from the model's file)".
std::string quantization_asked(const analyze::QuantizationExplanation& explanation);
// A clause without a full stop; empty if there is no reason to give.
std::string fallback_text(const model::PlanModel& model, const analyze::QuantizationRow& row);
// The same for several layers whose reasons name different layers; empty if the clause is the same
// for all.
std::string fallback_kind(const analyze::QuantizationRow& row);
// What to do about a reason, in the words of the engine's tools: a sentence without a full stop.
// Empty where nothing can be done.
std::string fallback_advice(const model::PlanModel& model, const analyze::QuantizationRow& row);

}  // namespace planex::render
