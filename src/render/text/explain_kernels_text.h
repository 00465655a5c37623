// What each layer launches: the screen of `planex explain kernels`.
#pragma once

#include "analyze/explain/kernels.h"
#include "model/plan_model.h"
#include "render/text/screen.h"

namespace planex::render {

Screen kernels_screen(const model::PlanModel& model, const analyze::KernelExplanation& explanation,
                      const ScreenSize& size);

}  // namespace planex::render
