// Why each conversion is there: the screen of `planex explain reformats`.
#pragma once

#include "analyze/reformats/reformats.h"
#include "model/plan_model.h"
#include "render/text/screen.h"

namespace planex::render {

Screen reformats_screen(const model::PlanModel& model,
                        const analyze::ReformatExplanation& explanation, const ScreenSize& size);

}  // namespace planex::render
