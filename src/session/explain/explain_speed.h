// `planex explain speed`: finds the device's limits, and calls analysis and renderers.
#pragma once

#include "analyze/explain/speed.h"
#include "session/answer/format.h"
#include "session/explain/explain.h"

namespace planex::session {

// The figures of every format, for callers that render them elsewhere. May measure a CPU, which
// takes a second the first time.
// Errors: kUsage (no such device), those of the device table that the request names.
Result<analyze::SpeedOfLight> speed_of(const EngineToExplain& engine,
                                       const ExplainRequest& request);

// Errors: as speed_of().
Result<void> explain_speed(const EngineToExplain& engine, const ExplainRequest& request,
                           const Take& take);

}  // namespace planex::session
