// What the documents about memory say (analyze/explain/memory_timeline.h).
#pragma once

#include "analyze/explain/memory_timeline.h"
#include "record/fields.h"

namespace planex::render {

// Memory that is live while one layer runs.
const record::Fields<analyze::TimelineFrame, model::PlanModel>& memory_frame_fields();
// planex.explain-memory/2
const record::Document<analyze::MemoryTimeline, model::PlanModel>& memory_document();

}  // namespace planex::render
