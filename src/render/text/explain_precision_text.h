// Where types change, and what forces it: the screen of `planex explain precision`.
#pragma once

#include "analyze/explain/precision.h"
#include "model/plan_model.h"
#include "render/text/screen.h"

namespace planex::render {

Screen precision_screen(const model::PlanModel& model,
                        const analyze::PrecisionExplanation& explanation, const ScreenSize& size);

}  // namespace planex::render
