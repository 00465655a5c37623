// How near an engine's layers come to the device's limits: the screen of `planex explain speed`.
#pragma once

#include "analyze/explain/speed.h"
#include "model/plan_model.h"
#include "render/text/screen.h"

namespace planex::render {

Screen speed_screen(const model::PlanModel& model, const analyze::SpeedOfLight& speed,
                    const ScreenSize& size);

}  // namespace planex::render
