// What an engine is made of, block by block: the screen of `planex explain blocks`.
#pragma once

#include "analyze/explain/blocks.h"
#include "model/plan_model.h"
#include "render/text/screen.h"

namespace planex::render {

Screen blocks_screen(const model::PlanModel& model, const analyze::Blocks& blocks,
                     const ScreenSize& size);

}  // namespace planex::render
