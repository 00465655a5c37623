// From a request to a drawing: graph, selection, groups, folding, picture, format.
#pragma once

#include "analyze/summary/summary.h"
#include "model/plan_model.h"
#include "planex/draw.h"
#include "planex/session.h"

namespace planex::session {

// Errors: kUsage (no such node or group, a bad regular expression, nothing selected, nothing to
// draw in this view), those of `sink`.
Result<void> draw(const model::PlanModel& model, const analyze::Summary& summary,
                  const DrawRequest& request, const DocumentSink& sink);

}  // namespace planex::session
