// Which kernels the builder tried, and which it chose: the screen of `planex explain tactics`.
#pragma once

#include "analyze/explain/tactics.h"
#include "model/plan_model.h"
#include "render/text/screen.h"

namespace planex::render {

// `is_chosen`: layers were selected by name: with their formats and candidates.
Screen tactics_screen(const model::PlanModel& model, const analyze::TacticExplanation& explanation,
                      bool is_chosen, const ScreenSize& size);

}  // namespace planex::render
