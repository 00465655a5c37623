// What runs quantized, and what fell back: the screen of `planex explain quantization`.
#pragma once

#include "analyze/quantization/quantization.h"
#include "model/plan_model.h"
#include "render/text/screen.h"

namespace planex::render {

Screen quantization_screen(const model::PlanModel& model,
                           const analyze::QuantizationExplanation& explanation,
                           const ScreenSize& size);

}  // namespace planex::render
