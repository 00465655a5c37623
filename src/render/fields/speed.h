// What the documents about speed say (analyze/explain/speed.h).
#pragma once

#include "analyze/explain/speed.h"
#include "record/fields.h"

namespace planex::render {

using SpeedFields = record::Fields<analyze::SpeedOfLight, model::PlanModel>;

// One layer.
const record::Fields<analyze::SpeedRow, model::PlanModel>& speed_layer_fields();
// What is not about single layers: before them, and after.
const SpeedFields& speed_head_fields();
const SpeedFields& speed_tail_fields();
// planex.explain-speed/2
const record::Document<analyze::SpeedOfLight, model::PlanModel>& speed_document();

}  // namespace planex::render
