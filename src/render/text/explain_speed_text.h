// How near an engine's layers come to the device's limits: `planex explain speed`.
#pragma once

#include <cstdint>
#include <string>

#include "analyze/explain/speed.h"
#include "model/plan_model.h"
#include "render/text/table_text.h"

namespace planex::render {

enum class SpeedDetail : std::uint8_t { kMax, kAll };  // the layers that matter, or each

std::string explain_speed_text(const model::PlanModel& model, const analyze::SpeedOfLight& speed,
                               SpeedDetail detail, const TableStyle& style);
std::string explain_speed_markdown(const model::PlanModel& model,
                                   const analyze::SpeedOfLight& speed, SpeedDetail detail);

}  // namespace planex::render
