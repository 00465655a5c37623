// `planex explain quantization` for the terminal, CSV and Markdown.
#pragma once

#include <string>

#include "analyze/quantization/quantization.h"
#include "model/plan_model.h"
#include "render/text/table_text.h"

namespace planex::render {

// `all`: every layer, not only the costliest of each reason.
std::string explain_quantization_text(const model::PlanModel& model,
                                      const analyze::QuantizationExplanation& explanation, bool all,
                                      const TableStyle& style);
std::string explain_quantization_markdown(const model::PlanModel& model,
                                          const analyze::QuantizationExplanation& explanation);

}  // namespace planex::render
