// An engine in the form that advice about Q/DQ needs: its layers with their times, and the nodes of
// the model that they come from.
#pragma once

#include "planex/error.h"
#include "planex/session.h"
#include "quantize/gains.h"
#include "session/open/engine.h"

namespace planex::session {

// Times without profiling overhead, where that is known; else medians, or means. Findings are those
// of rules about the placement of Q/DQ. Cost: O(layers and ports).
quantize::MeasuredEngine measured_engine(const Engine& engine);

// Errors: those of open_engine().
Result<quantize::MeasuredEngine> open_measured_engine(const OpenRequest& request);

}  // namespace planex::session
