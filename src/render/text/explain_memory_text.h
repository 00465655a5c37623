// Which memory an engine uses when: the screen of `planex explain memory`.
#pragma once

#include "analyze/explain/memory_timeline.h"
#include "model/plan_model.h"
#include "render/text/screen.h"

namespace planex::render {

Screen memory_screen(const model::PlanModel& model, const analyze::MemoryTimeline& timeline,
                     const ScreenSize& size);

}  // namespace planex::render
